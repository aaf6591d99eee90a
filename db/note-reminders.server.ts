import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { LIGHT, type NoteDoc, type NoteRecord, toNote } from "#db/note-docs.server.ts";
import { findNote, noteNotFound } from "#db/notes.server.ts";
import { type Reminder, removeReminders, setReminder } from "#db/reminders.server.ts";
import type { Refusal } from "#domain/refusal.ts";

/** Reminders together with the notes they are about. */
export async function remindOfNote(
  db: Db,
  ownerId: string,
  noteId: string,
  remindAt: Date,
  now: Date,
): Promise<Reminder | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const reminder = await setReminder(db, ownerId, note, remindAt, now);
  // A note that went between the look and the write took its reminder with it before there was one.
  if (await findNote(db, ownerId, noteId)) return reminder;
  await removeReminders(db, ownerId, [noteId]);
  return noteNotFound(noteId);
}

export type Reminded = { reminder: Reminder; note: NoteRecord };

/** Each reminder with its note, in the same order. One whose note is gone is left out and removed; one in the bin is left out. */
export async function withNotes(
  db: Db,
  ownerId: string,
  reminders: readonly Reminder[],
): Promise<Reminded[]> {
  if (reminders.length === 0) return [];
  const docs = await db.notes
    .find(
      {
        _id: { $in: reminders.map(({ note_id }) => new ObjectId(note_id)) },
        user_id: ownerId,
        deleted_at: null,
      },
      { projection: LIGHT },
    )
    .sort({ _id: 1 })
    .toArray();
  const notes = new Map(docs.map((doc) => [doc._id.toHexString(), toNote(doc)]));
  const living = await livingFiles(db, ownerId, docs);
  const gone = reminders.filter(({ note_id }) => !notes.has(note_id)).map(({ note_id }) => note_id);
  await removeReminders(db, ownerId, gone);
  return reminders.flatMap((reminder) => {
    const note = notes.get(reminder.note_id);
    return note && (note.file_id === null || living.has(note.file_id)) ? [{ reminder, note }] : [];
  });
}

async function livingFiles(db: Db, ownerId: string, docs: readonly NoteDoc[]): Promise<Set<string>> {
  const ids = [...new Set(docs.flatMap(({ file_id }) => file_id ?? []))].map((id) => new ObjectId(id));
  if (ids.length === 0) return new Set();
  const files = await db.files
    .find({ _id: { $in: ids }, user_id: ownerId, deleted_at: null })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .sort({ _id: 1 })
    .toArray();
  return new Set(files.map(({ _id }) => _id.toHexString()));
}
