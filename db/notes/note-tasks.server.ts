import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { conflict, findNote, noteNotFound, writeChanges } from "#db/notes/notes.server.ts";
import { setTask } from "#domain/notes/note-tasks.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type TaskTick = { index: number; checked: boolean; prev?: Date };
type ToggleResult = { note: NoteRecord; changed: boolean };

/**
 * Ticks or unticks a task. The write only succeeds on the content that was read; then the stored note is read again, and only
 * its content counts. Every refusal except that of a missing note contains the stored note.
 */
export async function toggleTask(
  db: Db,
  ownerId: string,
  noteId: string,
  { index, checked, prev }: TaskTick,
  now: Date,
): Promise<ToggleResult | Refusal> {
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
  const isStored = written !== null && setTask(stored.content, index, checked)?.changed === false;
  return isStored ? { note: stored, changed: true } : conflict(stored);
}
