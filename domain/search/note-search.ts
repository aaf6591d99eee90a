import { checkColor } from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { foldCase } from "#domain/text/folded.ts";
import { codePoints } from "#domain/text/text.ts";

/**
 * The rule of note search, shared by the web and agents: literal, without regard to case, in any script, in the title or the
 * body. Hits in titles come first, then the newest.
 */
export const NOTE_SEARCH_DEFAULT_LIMIT = 30;
export const NOTE_SEARCH_MAX_LIMIT = 50;
const NOTE_SEARCH_MAX_NEEDLE = 200;
const NOTE_SEARCH_PREVIEW_CHARS = 200;
const BEFORE_HIT = 60;

export type NoteSearch = { needle: string; color?: string; limit: number };
type SearchedNote = { title: string | null; content: string };
type NoteHit = "title" | "body";

export function checkNoteSearch(query: { q?: string; color?: string; limit?: string }): NoteSearch | Refusal {
  const needle = (query.q ?? "").trim();
  if (needle === "") return Refusal("empty_query");
  if (codePoints(needle) > NOTE_SEARCH_MAX_NEEDLE)
    return Refusal("query_too_long", { max: NOTE_SEARCH_MAX_NEEDLE });
  const limit = checkLimit(query.limit);
  if (isRefusal(limit)) return limit;
  if (query.color === undefined || query.color === "") return { needle, limit };
  const color = checkColor(query.color);
  return isRefusal(color) ? color : { needle, color, limit };
}

function checkLimit(text: string | undefined): number | Refusal {
  if (text === undefined) return NOTE_SEARCH_DEFAULT_LIMIT;
  const limit = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (limit < 1) return Refusal("invalid_limit", { field: "limit", min: 1, max: NOTE_SEARCH_MAX_LIMIT });
  return Math.min(limit, NOTE_SEARCH_MAX_LIMIT);
}

/** Returns a matcher for many notes, which says where the needle is, or null. */
export function noteMatcher(needle: string): (note: SearchedNote) => NoteHit | null {
  const foldedNeedle = foldCase(needle);
  return ({ title, content }) => {
    if (title !== null && foldCase(title).includes(foldedNeedle)) return "title";
    return foldCase(content).includes(foldedNeedle) ? "body" : null;
  };
}

export type NotePreview = { preview: string; preview_truncated: boolean };

/** Returns the part of a note around its first hit, or its beginning if only the title has the needle. */
export function notePreview(content: string, needle: string): NotePreview {
  const characters = [...content];
  if (characters.length <= NOTE_SEARCH_PREVIEW_CHARS) return { preview: content, preview_truncated: false };
  const hit = findCharacterIndex(characters, foldCase(content).indexOf(foldCase(needle)));
  const start = Math.max(0, Math.min(hit - BEFORE_HIT, characters.length - NOTE_SEARCH_PREVIEW_CHARS));
  const preview = characters.slice(start, start + NOTE_SEARCH_PREVIEW_CHARS).join("");
  return { preview, preview_truncated: true };
}

function findCharacterIndex(characters: string[], foldedIndex: number): number {
  let foldedLength = 0;
  for (const [i, character] of characters.entries()) {
    if (foldedLength >= foldedIndex) return i;
    foldedLength += foldCase(character).length;
  }
  return 0;
}
