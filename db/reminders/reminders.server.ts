import { type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import type { ReminderStatus } from "#domain/reminders/reminder-state.ts";
import { required } from "#domain/required.ts";

export type Reminder = {
  note_id: string;
  user_id: string;
  file_id: string | null;
  remind_at: Date;
  status: ReminderStatus;
  ack_at: Date | null;
  changed_at: Date;
};

type RemindedNote = { id: string; file_id: string | null };

const VISIBLE = { expires_at: null };
const toReminderFilter = (ownerId: string, noteId: string) => ({
  _id: new ObjectId(noteId),
  user_id: ownerId,
});

const toPendingFields = (remind_at: Date, now: Date) => ({
  changed_at: now,
  remind_at,
  status: "pending" as const,
  ack_at: null,
  push_at: remind_at,
  push_claim: null,
  push_attempts: 0,
  push_sent_to: [],
});

/** Sets the reminder of a note in any state. The caller has checked that the note is the owner's. */
export async function setReminder(
  db: Db,
  ownerId: string,
  note: RemindedNote,
  remindAt: Date,
  now: Date,
): Promise<Reminder> {
  const write: UpdateFilter<ReminderDoc> = {
    $set: {
      ...toPendingFields(remindAt, now),
      ...VISIBLE,
      file_id: note.file_id === null ? null : new ObjectId(note.file_id),
    },
    $setOnInsert: { created_at: now },
  };
  const upsert = () =>
    db.reminders.findOneAndUpdate(toReminderFilter(ownerId, note.id), write, {
      upsert: true,
      returnDocument: "after",
    });
  // If two first settings collide, the unique id lets one insert, and the other changes it.
  const doc = (await skipDuplicate(upsert())) ?? (await upsert());
  return toReminder(required(doc, "reminder after an upsert"));
}

/** Snoozes an existing reminder, pending or acknowledged. */
export async function snoozeReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  remindAt: Date,
  now: Date,
): Promise<Reminder | Refusal> {
  if (!isOpaqueId(noteId)) return Refusal("reminder_not_found");
  const doc = await db.reminders.findOneAndUpdate(
    { ...toReminderFilter(ownerId, noteId), ...VISIBLE },
    { $set: toPendingFields(remindAt, now) },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

/** Acknowledges a pending reminder. With a moment, only if it still has that time, because it may have been set again. */
export async function acknowledgeReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  remindAt: Date | null,
  now: Date,
): Promise<Reminder | Refusal> {
  if (!isOpaqueId(noteId)) return Refusal("reminder_not_found");
  const doc = await db.reminders.findOneAndUpdate(
    {
      ...toReminderFilter(ownerId, noteId),
      ...VISIBLE,
      status: "pending",
      ...(remindAt ? { remind_at: remindAt } : {}),
    },
    { $set: { status: "acknowledged", ack_at: now, changed_at: now }, $unset: { push_at: 1 } },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

/** Undoes an acknowledgement. Nothing is pushed again, because its person is looking at it. */
export async function reopenReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<Reminder | Refusal> {
  if (!isOpaqueId(noteId)) return Refusal("reminder_not_found");
  const doc = await db.reminders.findOneAndUpdate(
    { ...toReminderFilter(ownerId, noteId), ...VISIBLE, status: "acknowledged" },
    { $set: { status: "pending", ack_at: null, changed_at: now } },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

export async function findReminder(db: Db, ownerId: string, noteId: string): Promise<Reminder | null> {
  if (!isOpaqueId(noteId)) return null;
  const doc = await db.reminders.findOne({ ...toReminderFilter(ownerId, noteId), ...VISIBLE });
  return doc && toReminder(doc);
}

export async function findNoteReminders(
  db: Db,
  ownerId: string,
  noteIds: readonly string[],
): Promise<Map<string, Reminder>> {
  if (noteIds.length === 0) return new Map();
  const docs = await db.reminders
    .find({ _id: { $in: noteIds.map((id) => new ObjectId(id)) }, user_id: ownerId, ...VISIBLE })
    .sort({ _id: 1 })
    .toArray();
  return new Map(docs.map((doc) => [doc._id.toHexString(), toReminder(doc)]));
}

export async function removeReminders(db: Db, ownerId: string, noteIds: readonly string[]): Promise<number> {
  const ids = noteIds.filter(isOpaqueId).map((id) => new ObjectId(id));
  if (ids.length === 0) return 0;
  const { deletedCount } = await db.reminders.deleteMany({ _id: { $in: ids }, user_id: ownerId });
  return deletedCount;
}

const dueFilter = (ownerId: string, now: Date): Filter<ReminderDoc> => ({
  user_id: ownerId,
  status: "pending",
  ...VISIBLE,
  remind_at: { $lte: now },
});

export async function listDueReminders(
  db: Db,
  ownerId: string,
  now: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders.find(dueFilter(ownerId, now)).sort({ remind_at: 1 }).limit(limit).toArray();
  return docs.map(toReminder);
}

export async function listUpcomingReminders(
  db: Db,
  ownerId: string,
  now: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders
    .find({ ...dueFilter(ownerId, now), remind_at: { $gt: now } })
    .sort({ remind_at: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toReminder);
}

export async function listDoneReminders(
  db: Db,
  ownerId: string,
  since: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders
    .find({ user_id: ownerId, status: "acknowledged", ...VISIBLE, ack_at: { $gte: since } })
    .sort({ ack_at: -1 })
    .limit(limit)
    .toArray();
  return docs.map(toReminder);
}

/** Lists the notes of all due reminders, limited only by a person's number of notes. */
export async function listDueNoteIds(db: Db, ownerId: string, now: Date): Promise<ObjectId[]> {
  const docs = await db.reminders.find(dueFilter(ownerId, now), { projection: { _id: 1 } }).toArray();
  return docs.map(({ _id }) => _id);
}

/** Hides the reminders of a trashed file and sets when the store removes them. */
export async function hideReminders(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  await db.reminders.updateMany({ file_id: { $in: [...fileIds] } }, { $set: { expires_at: expiresAt } });
}

/** Restores the reminders that were hidden by one deletion. */
export async function revealReminders(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  await db.reminders.updateMany({ file_id: { $in: [...fileIds] }, expires_at: expiresAt }, { $set: VISIBLE });
}

/** Moves a reminder with its note, so that it is hidden and removed with the note's current file only. */
export async function moveReminder(db: Db, ownerId: string, note: RemindedNote): Promise<void> {
  const file_id = note.file_id === null ? null : new ObjectId(note.file_id);
  await db.reminders.updateOne(
    { ...toReminderFilter(ownerId, note.id), file_id: { $ne: file_id } },
    { $set: { ...VISIBLE, file_id } },
  );
}

export async function removeRemindersOfFile(db: Db, fileId: ObjectId): Promise<void> {
  await db.reminders.deleteMany({ file_id: fileId });
}

export function toReminder(doc: ReminderDoc): Reminder {
  const { _id, user_id, file_id, remind_at, status, ack_at, created_at, changed_at = created_at } = doc;
  return {
    note_id: _id.toHexString(),
    user_id,
    file_id: file_id?.toHexString() ?? null,
    remind_at,
    status,
    ack_at,
    changed_at,
  };
}
