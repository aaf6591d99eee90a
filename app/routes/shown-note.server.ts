import type { ShownNote } from "#app/components/note-card.tsx";
import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes.server.ts";
import { findRemindersOf } from "#db/reminders.server.ts";
import { toTimestamp } from "#domain/timestamp.ts";

/** What pages need of notes, their reminders included. */
export async function shownNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<ShownNote[]> {
  const reminders = await findRemindersOf(
    db,
    ownerId,
    notes.map(({ id }) => id),
  );
  return notes.map((note) => {
    const reminder = reminders.get(note.id);
    return {
      ...shownNote(note),
      reminder: reminder ? { remind_at: toTimestamp(reminder.remind_at), status: reminder.status } : null,
    };
  });
}

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
    reminder: null,
  };
}
