import { firstLine } from "#domain/notes/note-markdown.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type Placed = {
  id: string;
  file_id: string | null;
  board_id: string | null;
  repo_name: string | null;
  repo_path: string | null;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
};

/** The page a note is on, at the note. The page of a repository's file that is gone leads on to the orphans. */
export function notePlace(note: Placed): string {
  const at = `#note-${note.id}`;
  const L = note.line_start === null ? "" : writtenLines(note.line_start, note.line_end);
  if (note.board_id) return `/boards/${note.board_id}${at}`;
  if (note.repo_name) return repoPlace(note.repo_name, "file", { path: note.repo_path ?? "", L }) + at;
  if (note.anchor_id) return `/md/${note.file_id}${at}`;
  return `/file/${note.file_id}${L && `?L=${L}`}${at}`;
}

export function writtenLines(from: number, to: number | null): string {
  return to === null || to === from ? String(from) : `${from}-${to}`;
}

const NAME_MAX = 60;

/** What a note is called: its title, or its first words. Empty where it has neither. */
export function noteName({ title, content }: { title: string | null; content: string }): string {
  return title ?? [...firstLine(content)].slice(0, NAME_MAX).join("");
}
