import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import { type Reminder, toReminder } from "#db/reminders/reminders.server.ts";
import { newToken } from "#platform/ids.ts";

/**
 * Which reminders still owe their person a push. `push_at` is the moment at which a worker should look at one: the reminder's
 * own at first, the end of a worker's claim while it sends, the next attempt after a failure; it is gone once the push is
 * settled. So a worker that dies while it sends gives its claim back by itself, and one index finds all that is to be done.
 *
 * Setting or snoozing a reminder arms it again with a new `remind_at`; acknowledging settles it. Each verb here names the
 * `remind_at` it was about, so what a worker learns about an old moment never touches a new one.
 */
export type OwedPush = Reminder & {
  /** How often sending failed for this moment. A worker's death is none: it says nothing of the devices. */
  push_attempts: number;
  /** The devices (by endpoint hash) that need it no more; the ledger is written after each send. */
  push_sent_to: string[];
  push_at: Date;
  /** Which claim it is under, if under any. */
  push_claim: string | null;
};

// The bound that the partial index names: a filter without it would not be served by it.
const EPOCH = new Date(0);
// What is out of sight with its file waits until it comes back.
const claimable = { status: "pending", expires_at: null } as const;
const owedFields = { push_at: 1, push_claim: 1 } as const;

/** Those to be pushed by now, the longest waiting first. */
export async function listOwedPushes(db: Db, now: Date, limit: number): Promise<OwedPush[]> {
  const docs = await db.reminders
    .find({ push_at: { $gt: EPOCH, $lte: now }, ...claimable })
    .sort({ push_at: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toOwed);
}

/** The push that is owed next, at whatever moment, or null. */
export async function findNextPush(db: Db): Promise<OwedPush | null> {
  const [next] = await db.reminders
    .find({ push_at: { $gt: EPOCH }, ...claimable })
    .sort({ push_at: 1 })
    .limit(1)
    .toArray();
  return next ? toOwed(next) : null;
}

/**
 * Takes pushes for one worker until a moment. Those it got: another worker may have been first, or a reminder have changed. A
 * claim has a name of its own, because two workers may claim until the same millisecond; what is claimed is read afterwards,
 * so the message says how it is now, not how it was found.
 */
export async function claimPushes(
  db: Db,
  pushes: readonly OwedPush[],
  now: Date,
  until: Date,
): Promise<OwedPush[]> {
  if (pushes.length === 0) return [];
  const these = { _id: { $in: pushes.map(({ note_id }) => new ObjectId(note_id)) }, ...claimable };
  const claim = { push_at: until, push_claim: newToken(12) };
  const { modifiedCount } = await db.reminders.updateMany(
    { ...these, push_at: { $gt: EPOCH, $lte: now } },
    { $set: claim },
  );
  if (modifiedCount === 0) return [];
  const docs = await db.reminders.find({ ...these, ...claim }).toArray();
  return docs.map(toOwed);
}

/** Of each claimed push whether it is still this worker's, and the reminder still the one it was claimed for. */
export async function arePushesOwed(db: Db, pushes: readonly OwedPush[]): Promise<boolean[]> {
  const ids = pushes.map(({ note_id }) => new ObjectId(note_id));
  const docs = await db.reminders.find({ _id: { $in: ids }, ...claimable }).toArray();
  const now = new Map(docs.map((doc) => [doc._id.toHexString(), toOwed(doc)]));
  return pushes.map((push) => {
    const { user_id, remind_at, push_claim, push_at } = now.get(push.note_id) ?? {};
    return (
      push_claim === push.push_claim &&
      user_id === push.user_id &&
      Number(remind_at) === Number(push.remind_at) &&
      Number(push_at) === Number(push.push_at)
    );
  });
}

/** A device that needs a push no more: it has it, or its push service will never take it; whether it was the last one. */
export type PushSend = { push: OwedPush; endpointHash: string; isLast: boolean };

/** Writes sends into the ledgers of their reminders. With its last device a push is settled in the same write. */
export async function recordPushesSent(db: Db, sends: readonly PushSend[]): Promise<void> {
  const writes = sends.map(({ push, endpointHash, isLast }) => ({
    updateOne: {
      filter: carrying(push),
      update: {
        $addToSet: { push_sent_to: endpointHash },
        ...(isLast ? { $unset: owedFields } : {}),
      },
    },
  }));
  await db.reminders.bulkWrite(writes, { ordered: false });
}

export type PushedNote = Pick<NoteDoc, "content" | "board_id">;

/** What the notes of claimed pushes say, by note; one that is deleted is not among them. */
export async function findPushedNotes(db: Db, pushes: readonly OwedPush[]): Promise<Map<string, PushedNote>> {
  if (pushes.length === 0) return new Map();
  const owners = new Map(pushes.map(({ note_id, user_id }) => [note_id, user_id]));
  const docs = await db.notes
    .find(
      { _id: { $in: [...owners.keys()].map((id) => new ObjectId(id)) }, deleted_at: null },
      { projection: { user_id: 1, content: 1, board_id: 1 } },
    )
    .toArray();
  const own = docs.filter(({ _id, user_id }) => owners.get(_id.toHexString()) === user_id);
  return new Map(own.map((doc) => [doc._id.toHexString(), doc]));
}

/** Nothing more is owed for this moment: sent to every device, or given up. False when the reminder was set anew. */
export async function settlePush(db: Db, push: Reminder): Promise<boolean> {
  const { matchedCount } = await db.reminders.updateOne(carrying(push), { $unset: owedFields });
  return matchedCount === 1;
}

/** Tries again later, as long as it is still the same reminder that is pending. */
export async function postponePush(db: Db, push: OwedPush, until: Date, attempts: number): Promise<boolean> {
  const { matchedCount } = await db.reminders.updateOne(
    { ...carrying(push), status: "pending", push_at: push.push_at },
    { $set: { push_at: until, push_attempts: attempts } },
  );
  return matchedCount === 1;
}

/** Owes the push of a note's due reminder again that was given up. False where there is none, or it is owed already. */
export async function rearmPush(db: Db, noteId: string, now: Date): Promise<boolean> {
  if (!ObjectId.isValid(noteId)) return false;
  const reminder = await db.reminders.findOne({ _id: new ObjectId(noteId) }, { projection: { user_id: 1 } });
  if (!reminder) return false;
  const { _id, user_id } = reminder;
  const givenUp = {
    ...{ _id, user_id },
    ...claimable,
    remind_at: { $lte: now },
    push_at: { $exists: false },
  };
  const { modifiedCount } = await db.reminders.updateOne(givenUp, {
    $set: { push_at: now, push_attempts: 0 },
  });
  return modifiedCount === 1;
}

/** Lets a person's pushes whose moment has come go out now, instead of when they would be tried next. */
export async function wakePushes(db: Db, ownerId: string, now: Date): Promise<void> {
  const waiting = { user_id: ownerId, ...claimable, remind_at: { $lte: now }, push_at: { $gt: now } };
  await db.reminders.updateMany(waiting, { $set: { push_at: now } });
}

const carrying = ({ note_id, user_id, remind_at }: Reminder) => ({
  _id: new ObjectId(note_id),
  user_id,
  remind_at,
});

function toOwed(doc: ReminderDoc): OwedPush {
  const { push_attempts, push_sent_to, push_at = doc.remind_at, push_claim = null } = doc;
  return { ...toReminder(doc), push_attempts, push_sent_to, push_at, push_claim };
}
