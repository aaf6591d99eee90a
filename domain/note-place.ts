import { firstLine } from "#domain/note-markdown.ts";

type Placed = {
  id: string;
  file_id: string | null;
  board_id: string | null;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
};

/** The page a note is on, at the note. A note on a file of a repository is found among all notes. */
export function notePlace(note: Placed): string {
  const at = `#note-${note.id}`;
  if (note.board_id) return `/boards/${note.board_id}${at}`;
  if (!note.file_id) return `/notes?kind=repo${at}`;
  if (note.anchor_id) return `/md/${note.file_id}${at}`;
  const lines = note.line_start === null ? "" : `?L=${writtenLines(note.line_start, note.line_end)}`;
  return `/file/${note.file_id}${lines}${at}`;
}

export function writtenLines(from: number, to: number | null): string {
  return to === null || to === from ? String(from) : `${from}-${to}`;
}

const NAME_MAX = 60;

/** What a note is called: its title, or its first words. Empty where it has neither. */
export function noteName({ title, content }: { title: string | null; content: string }): string {
  return title ?? [...firstLine(content)].slice(0, NAME_MAX).join("");
}
