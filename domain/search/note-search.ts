import { checkColor } from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { folded } from "#domain/search/folded.ts";
import { codePoints } from "#domain/text/text.ts";

/**
 * The one rule by which notes are found, for the web and for agents alike: literal, whatever the case, in any script, in the title
 * or in the body. Titles come first, then the newest.
 */
export const NOTE_SEARCH_DEFAULT_LIMIT = 30;
export const NOTE_SEARCH_MAX_LIMIT = 50;
const NOTE_SEARCH_MAX_NEEDLE = 200;
const NOTE_SEARCH_PREVIEW_CHARS = 200;
const BEFORE_HIT = 60;

export type NoteSearch = { needle: string; color?: string; limit: number };
type Searched = { title: string | null; content: string };
type NoteHit = "title" | "body";

/** What to look for, from what a client sent. */
export function checkNoteSearch(given: { q?: string; color?: string; limit?: string }): NoteSearch | Refusal {
  const needle = (given.q ?? "").trim();
  if (needle === "") return Refusal("empty_query");
  if (codePoints(needle) > NOTE_SEARCH_MAX_NEEDLE)
    return Refusal("query_too_long", { max: NOTE_SEARCH_MAX_NEEDLE });
  const limit = checkLimit(given.limit);
  if (isRefusal(limit)) return limit;
  if (given.color === undefined || given.color === "") return { needle, limit };
  const color = checkColor(given.color);
  return isRefusal(color) ? color : { needle, color, limit };
}

function checkLimit(text: string | undefined): number | Refusal {
  if (text === undefined) return NOTE_SEARCH_DEFAULT_LIMIT;
  const limit = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (limit < 1) return Refusal("invalid_limit", { field: "limit", min: 1, max: NOTE_SEARCH_MAX_LIMIT });
  return Math.min(limit, NOTE_SEARCH_MAX_LIMIT);
}

/** Asks of any number of notes where the needle is in them; null for a note that does not have it. */
export function noteMatcher(needle: string): (note: Searched) => NoteHit | null {
  const foldedNeedle = folded(needle);
  return ({ title, content }) => {
    if (title !== null && folded(title).includes(foldedNeedle)) return "title";
    return folded(content).includes(foldedNeedle) ? "body" : null;
  };
}

export type NotePreview = { preview: string; preview_truncated: boolean };

/** The part of a note around its first hit; its beginning where only the title has the needle. */
export function notePreview(content: string, needle: string): NotePreview {
  const characters = [...content];
  if (characters.length <= NOTE_SEARCH_PREVIEW_CHARS) return { preview: content, preview_truncated: false };
  const hit = hitCharacter(characters, folded(content).indexOf(folded(needle)));
  const start = Math.max(0, Math.min(hit - BEFORE_HIT, characters.length - NOTE_SEARCH_PREVIEW_CHARS));
  const preview = characters.slice(start, start + NOTE_SEARCH_PREVIEW_CHARS).join("");
  return { preview, preview_truncated: true };
}

/** Which character a place in the folded text came from: a fold may be longer than what it folds. */
function hitCharacter(characters: string[], place: number): number {
  let at = 0;
  for (const [i, character] of characters.entries()) {
    if (at >= place) return i;
    at += folded(character).length;
  }
  return 0;
}
