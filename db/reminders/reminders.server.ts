import { type Filter, ObjectId, type UpdateFilter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
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

/** What a reminder has to know of the note it belongs to. */
type RemindedNote = { id: string; file_id: string | null };

const visible = { expires_at: null };
const ofNote = (ownerId: string, noteId: string) => ({
  _id: new ObjectId(noteId),
  user_id: ownerId,
});

/** Pending at a moment, not acknowledged, and with a push owed from nobody yet. */
const armed = (remind_at: Date, now: Date) => ({
  changed_at: now,
  remind_at,
  status: "pending" as const,
  ack_at: null,
  push_at: remind_at,
  push_claim: null,
  push_attempts: 0,
  push_sent_to: [],
});

/** Sets the reminder of a note that the caller has found to be the owner's, whatever state it was in. */
export async function setReminder(
  db: Db,
  ownerId: string,
  note: RemindedNote,
  remindAt: Date,
  now: Date,
): Promise<Reminder> {
  const write: UpdateFilter<ReminderDoc> = {
    $set: {
      ...armed(remindAt, now),
      ...visible,
      file_id: note.file_id === null ? null : new ObjectId(note.file_id),
    },
    $setOnInsert: { created_at: now },
  };
  const upsert = () =>
    db.reminders.findOneAndUpdate(ofNote(ownerId, note.id), write, { upsert: true, returnDocument: "after" });
  // Two first settings at once: the unique id lets one insert, and the other then changes what it inserted.
  const doc = await upsert().catch((error) => {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  });
  return toReminder(required(doc, "reminder after an upsert"));
}

/** Puts a reminder off, done or not, as long as there is one. */
export async function snoozeReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  remindAt: Date,
  now: Date,
): Promise<Reminder | Refusal> {
  if (!isOpaqueId(noteId)) return Refusal("reminder_not_found");
  const doc = await db.reminders.findOneAndUpdate(
    { ...ofNote(ownerId, noteId), ...visible },
    { $set: armed(remindAt, now) },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

/** Closes a pending reminder. With a moment, only one that still carries that very moment: it may have been set anew. */
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
      ...ofNote(ownerId, noteId),
      ...visible,
      status: "pending",
      ...(remindAt ? { remind_at: remindAt } : {}),
    },
    { $set: { status: "acknowledged", ack_at: now, changed_at: now }, $unset: { push_at: 1 } },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

/** Takes an acknowledgement back. Nothing is pushed again: whoever takes it back is looking at it. */
export async function reopenReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<Reminder | Refusal> {
  if (!isOpaqueId(noteId)) return Refusal("reminder_not_found");
  const doc = await db.reminders.findOneAndUpdate(
    { ...ofNote(ownerId, noteId), ...visible, status: "acknowledged" },
    { $set: { status: "pending", ack_at: null, changed_at: now } },
    { returnDocument: "after" },
  );
  return doc ? toReminder(doc) : Refusal("reminder_not_found");
}

export async function findReminder(db: Db, ownerId: string, noteId: string): Promise<Reminder | null> {
  if (!isOpaqueId(noteId)) return null;
  const doc = await db.reminders.findOne({ ...ofNote(ownerId, noteId), ...visible });
  return doc && toReminder(doc);
}

/** The reminders of several notes, by note. */
export async function findNoteReminders(
  db: Db,
  ownerId: string,
  noteIds: readonly string[],
): Promise<Map<string, Reminder>> {
  if (noteIds.length === 0) return new Map();
  const docs = await db.reminders
    .find({ _id: { $in: noteIds.map((id) => new ObjectId(id)) }, user_id: ownerId, ...visible })
    .sort({ _id: 1 })
    .toArray();
  return new Map(docs.map((doc) => [doc._id.toHexString(), toReminder(doc)]));
}

/** Takes reminders away, whether their notes are there or gone. */
export async function removeReminders(db: Db, ownerId: string, noteIds: readonly string[]): Promise<number> {
  const ids = noteIds.filter(isOpaqueId).map((id) => new ObjectId(id));
  if (ids.length === 0) return 0;
  const { deletedCount } = await db.reminders.deleteMany({ _id: { $in: ids }, user_id: ownerId });
  return deletedCount;
}

const due = (ownerId: string, now: Date): Filter<ReminderDoc> => ({
  user_id: ownerId,
  status: "pending",
  ...visible,
  remind_at: { $lte: now },
});

/** What should have been done by now, oldest first. */
export async function listDueReminders(
  db: Db,
  ownerId: string,
  now: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders.find(due(ownerId, now)).sort({ remind_at: 1 }).limit(limit).toArray();
  return docs.map(toReminder);
}

/** What is still to come, soonest first. */
export async function listUpcomingReminders(
  db: Db,
  ownerId: string,
  now: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders
    .find({ ...due(ownerId, now), remind_at: { $gt: now } })
    .sort({ remind_at: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toReminder);
}

/** What was acknowledged, last first. */
export async function listDoneReminders(
  db: Db,
  ownerId: string,
  since: Date,
  limit: number,
): Promise<Reminder[]> {
  const docs = await db.reminders
    .find({ user_id: ownerId, status: "acknowledged", ...visible, ack_at: { $gte: since } })
    .sort({ ack_at: -1 })
    .limit(limit)
    .toArray();
  return docs.map(toReminder);
}

/** The notes of all that are due; as many at most as somebody may have notes. */
export async function listDueNoteIds(db: Db, ownerId: string, now: Date): Promise<ObjectId[]> {
  const docs = await db.reminders.find(due(ownerId, now), { projection: { _id: 1 } }).toArray();
  return docs.map(({ _id }) => _id);
}

/** Dates the reminders of a file that goes to the trash: they are out of sight, and the store removes them at that moment. */
export async function hideReminders(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  await db.reminders.updateMany({ file_id: { $in: [...fileIds] } }, { $set: { expires_at: expiresAt } });
}

/** Brings back those that went at one deletion. */
export async function revealReminders(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  await db.reminders.updateMany({ file_id: { $in: [...fileIds] }, expires_at: expiresAt }, { $set: visible });
}

/** A note that moved takes its reminder along: it goes to the trash with the file that the note is on now, and with no other. */
export async function moveReminder(db: Db, ownerId: string, note: RemindedNote): Promise<void> {
  const file_id = note.file_id === null ? null : new ObjectId(note.file_id);
  await db.reminders.updateOne(
    { ...ofNote(ownerId, note.id), file_id: { $ne: file_id } },
    { $set: { ...visible, file_id } },
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
