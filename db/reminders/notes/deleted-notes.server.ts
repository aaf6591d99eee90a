import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { findTargetRefusal, type NoteQuota, writeInFreeSlots } from "#db/notes/note-places.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { findReminder, removeReminders, setReminder } from "#db/reminders/reminders.server.ts";
import { computeChangeTime, isNoteId, toTarget } from "#domain/notes/note.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/** How long a deleted note can be restored. */
const DELETED_DAYS = 30;

/** Deletes a note and its reminder. Both can be restored for a while; its slots and its title are free at once. */
export async function removeNote(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
  { unchanged = {} }: { unchanged?: Partial<Pick<NoteDoc, "updated_at">> } = {},
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const reminder = await findReminder(db, ownerId, noteId);
  const reminderFields =
    reminder?.status === "pending" ? { kept_reminder: { remind_at: reminder.remind_at } } : {};
  const doc = await db.notes.findOneAndUpdate(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null, ...unchanged },
    {
      $set: { deleted_at: now, expires_at: computeExpiry(now), ...reminderFields },
      $unset: { user_slot: 1, target_slot: 1, titled_in: 1 },
    },
    { returnDocument: "after", projection: LIGHT },
  );
  if (!doc) return noteNotFound(noteId);
  await removeReminders(db, ownerId, [noteId]);
  return toNote(doc);
}

const computeExpiry = (now: Date) => new Date(now.getTime() + DELETED_DAYS * DAY_MS);

/**
 * Removes the reminder of a note, and also the note if it was created for the reminder and not changed since. Returns such a
 * note, which can be restored with its reminder.
 */
export async function removeReminderOfNote(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<NoteRecord | null> {
  const note = isNoteId(noteId)
    ? await db.notes.findOne(
        { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
        { projection: { made_for_reminder: 1, updated_at: 1 } },
      )
    : null;
  if (note && isUnchangedReminderNote(note)) {
    const { updated_at } = note;
    const removed = await removeNote(db, ownerId, noteId, now, { unchanged: { updated_at } });
    if (!isRefusal(removed)) return removed;
  }
  await removeReminders(db, ownerId, [noteId]);
  return null;
}

const isUnchangedReminderNote = ({
  made_for_reminder,
  updated_at,
}: Pick<NoteDoc, "made_for_reminder" | "updated_at">) =>
  made_for_reminder?.getTime() === updated_at.getTime();

/** Restores a deleted note if there is room for it and its target exists. */
export async function restoreNote(
  db: Db,
  ownerId: string,
  noteId: string,
  quota: NoteQuota,
  now: Date,
): Promise<NoteRecord | Refusal> {
  if (!isNoteId(noteId)) return noteNotFound(noteId);
  const _id = new ObjectId(noteId);
  const filter = { _id, user_id: ownerId, deleted_at: { $gt: new Date(0) }, expires_at: { $gt: now } };
  const doc = await db.notes.findOne(filter, { projection: LIGHT });
  if (!doc || (await findTargetRefusal(db, ownerId, toTarget(doc)))) return noteNotFound(noteId);
  const updated_at = computeChangeTime(now, doc.updated_at);
  const reminderMark = isUnchangedReminderNote(doc) ? { made_for_reminder: updated_at } : {};
  // The reminder comes first: after an interruption here, the note is still deleted, and a reminder without its note is never shown.
  if (doc.kept_reminder) await setReminder(db, ownerId, toNote(doc), doc.kept_reminder.remind_at, now);
  const refusal = await writeInFreeSlots(db, doc, quota, ({ user_slot, target_slot, titled_in }) =>
    db.notes.updateOne(filter, {
      $set: { deleted_at: null, updated_at, ...reminderMark, user_slot, target_slot, titled_in },
      $unset: { expires_at: 1, kept_reminder: 1 },
    }),
  );
  if (refusal) {
    await removeReminders(db, ownerId, [noteId]);
    return refusal;
  }
  return (await findNote(db, ownerId, noteId)) ?? noteNotFound(noteId);
}
