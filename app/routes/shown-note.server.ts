import type { ShownNote } from "#app/components/note-card.tsx";
import type { NoteRecord } from "#db/notes.server.ts";
import { toTimestamp } from "#domain/timestamp.ts";

/** What a page needs of a note. */
export function shownNote(note: NoteRecord): ShownNote {
  return {
    id: note.id,
    title: note.title,
    content: note.content,
    position: note.position,
    size: note.size,
    color: note.color,
    is_minimized: note.is_minimized,
    line_start: note.line_start,
    line_end: note.line_end,
    anchor_id: note.anchor_id,
    anchor_text: note.anchor_text,
    file_id: note.file_id,
    board_id: note.board_id,
    repo_name: note.repo_name,
    repo_path: note.repo_path,
    updated_at: toTimestamp(note.updated_at),
  };
}
