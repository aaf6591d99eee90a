import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { conflict, findNote, noteNotFound, writeChanges } from "#db/notes/notes.server.ts";
import { setTask } from "#domain/notes/note-tasks.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type TaskTick = { index: number; checked: boolean; prev?: Date };
type Ticked = { note: NoteRecord; changed: boolean };

/**
 * Ticks or unticks one task. The write is a compare-and-swap on the content that was read; what was stored is then read again, and only
 * what is seen there counts. Every refusal but that of a missing note carries the note as it is stored.
 */
export async function toggleTask(
  db: Db,
  ownerId: string,
  noteId: string,
  { index, checked, prev }: TaskTick,
  now: Date,
): Promise<Ticked | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  if (prev?.getTime() !== note.updated_at.getTime()) return conflict(note);
  const change = setTask(note.content, index, checked);
  if (!change) return Refusal("task_index_not_found", { note, index });
  if (!change.changed) return { note, changed: false };
  const written = await writeChanges(db, note, { content: change.content }, now);
  if (isRefusal(written)) return written;
  const stored = await findNote(db, ownerId, noteId);
  if (!stored) return noteNotFound(noteId);
  const seen = written !== null && setTask(stored.content, index, checked)?.changed === false;
  return seen ? { note: stored, changed: true } : conflict(stored);
}
