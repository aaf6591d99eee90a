import type { NoteKind, TargetedNote } from "#domain/notes/note.ts";
import type { NotePlace } from "#domain/notes/note-locating.ts";
import { getFirstPlainLine } from "#domain/notes/note-markdown.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type PlacedNote = TargetedNote & {
  id: string;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
};

/** The page of each kind of note. The page of a deleted file of a repository leads to the orphans. */
const NOTE_PAGES: Record<NoteKind, (note: PlacedNote, lines: string) => string> = {
  file: ({ file_id, anchor_id }, lines) =>
    anchor_id ? `/md/${file_id}` : `/file/${file_id}${lines && `?L=${lines}`}`,
  board: ({ board_id }) => `/boards/${board_id}`,
  repo: ({ repo_name, repo_path }, L) => repoPlace(repo_name ?? "", "file", { path: repo_path ?? "", L }),
};

export function toNoteAddress(note: PlacedNote): string {
  const lines = note.line_start === null ? "" : formatLines(note.line_start, note.line_end);
  return `${NOTE_PAGES[note.kind](note, lines)}#note-${note.id}`;
}

type NoteLines = { line_start: number | null; line_end: number | null };

/** Returns a note with its current lines, which differ from the noted ones once the file has changed. Lost lines are null. */
export function moveToCurrentLines<Note extends NoteLines>(
  note: Note,
  place: NotePlace | null | undefined,
): Note {
  if (!place || note.line_start === null) return note;
  return { ...note, line_start: place.line_start, line_end: place.line_end };
}

export function formatLines(from: number, to: number | null): string {
  return to === null || to === from ? String(from) : `${from}-${to}`;
}

const NAME_MAX = 60;

/** Returns the title or the first words, or "". */
export function noteName({ title, content }: { title: string | null; content: string }): string {
  return title ?? [...getFirstPlainLine(content)].slice(0, NAME_MAX).join("");
}
