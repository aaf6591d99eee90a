import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import { type Reminder, toReminder } from "#db/reminders/reminders.server.ts";
import { generateToken } from "#platform/ids.ts";

/**
 * The reminders whose push is due. `push_at` is when a worker should process one: first the reminder's own time, then the end of a worker's
 * claim while it sends, or the next attempt after a failure; it is removed when the push is settled. So the claim of a dead worker expires
 * by itself, and one index finds all due work. Setting or snoozing a reminder makes it due again at a new `remind_at`; acknowledging
 * settles it. Each function names the `remind_at` that it is about, so results for an old time never affect a new one.
 */
export type OwedPush = Reminder & {
  /** Failed attempts for this time. A worker's death does not count, because it says nothing about the devices. */
  push_attempts: number;
  /** The devices (by endpoint hash) that need it no longer; recorded after each send. */
  push_sent_to: string[];
  push_at: Date;
  push_claim: string | null;
};

// The partial index requires this bound; a filter without it would not use the index.
const EPOCH = new Date(0);
// Reminders hidden with their file wait until it is restored.
const claimable = { status: "pending", expires_at: null } as const;
const owedFields = { push_at: 1, push_claim: 1 } as const;

export async function listDuePushes(db: Db, now: Date, limit: number): Promise<OwedPush[]> {
  const docs = await db.reminders
    .find({ push_at: { $gt: EPOCH, $lte: now }, ...claimable })
    .sort({ push_at: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toOwedPush);
}

export async function findNextPush(db: Db): Promise<OwedPush | null> {
  const [next] = await db.reminders
    .find({ push_at: { $gt: EPOCH }, ...claimable })
    .sort({ push_at: 1 })
    .limit(1)
    .toArray();
  return next ? toOwedPush(next) : null;
}

/**
 * Claims pushes for a worker until a moment and returns the claimed ones: another worker may have been first, or a reminder may
 * have changed. A claim has its own name, because two workers may claim until the same millisecond. Claimed pushes are read
 * afterwards, so that messages have the current content.
 */
export async function claimPushes(
  db: Db,
  pushes: readonly OwedPush[],
  now: Date,
  until: Date,
): Promise<OwedPush[]> {
  if (pushes.length === 0) return [];
  const filter = { _id: { $in: pushes.map(({ note_id }) => new ObjectId(note_id)) }, ...claimable };
  const claim = { push_at: until, push_claim: generateToken(12) };
  const { modifiedCount } = await db.reminders.updateMany(
    { ...filter, push_at: { $gt: EPOCH, $lte: now } },
    { $set: claim },
  );
  if (modifiedCount === 0) return [];
  const docs = await db.reminders.find({ ...filter, ...claim }).toArray();
  return docs.map(toOwedPush);
}

/** Returns for each push if it is still claimed by this worker and its reminder unchanged. */
export async function arePushesStillClaimed(db: Db, pushes: readonly OwedPush[]): Promise<boolean[]> {
  const ids = pushes.map(({ note_id }) => new ObjectId(note_id));
  const docs = await db.reminders.find({ _id: { $in: ids }, ...claimable }).toArray();
  const currentById = new Map(docs.map((doc) => [doc._id.toHexString(), toOwedPush(doc)]));
  return pushes.map((push) => {
    const { user_id, remind_at, push_claim, push_at } = currentById.get(push.note_id) ?? {};
    return (
      push_claim === push.push_claim &&
      user_id === push.user_id &&
      Number(remind_at) === Number(push.remind_at) &&
      Number(push_at) === Number(push.push_at)
    );
  });
}

/** A device that needs a push no longer: it has it, or its push service will never accept it. `isLast` marks the last device. */
export type PushSend = { push: OwedPush; endpointHash: string; isLast: boolean };

/** Records sends. With its last device a push is settled in the same write. */
export async function recordPushesSent(db: Db, sends: readonly PushSend[]): Promise<void> {
  const writes = sends.map(({ push, endpointHash, isLast }) => ({
    updateOne: {
      filter: toFilter(push),
      update: {
        $addToSet: { push_sent_to: endpointHash },
        ...(isLast ? { $unset: owedFields } : {}),
      },
    },
  }));
  await db.reminders.bulkWrite(writes, { ordered: false });
}

export type PushedNote = Pick<NoteDoc, "content" | "board_id">;

export async function findPushedNotes(db: Db, pushes: readonly OwedPush[]): Promise<Map<string, PushedNote>> {
  if (pushes.length === 0) return new Map();
  const owners = new Map(pushes.map(({ note_id, user_id }) => [note_id, user_id]));
  const docs = await db.notes
    .find(
      { _id: { $in: [...owners.keys()].map((id) => new ObjectId(id)) }, deleted_at: null },
      { projection: { user_id: 1, content: 1, board_id: 1 } },
    )
    .toArray();
  const ownNotes = docs.filter(({ _id, user_id }) => owners.get(_id.toHexString()) === user_id);
  return new Map(ownNotes.map((doc) => [doc._id.toHexString(), doc]));
}

/** Settles a push for this time: sent to every device, or given up. False if the reminder was set again. */
export async function completePush(db: Db, push: Reminder): Promise<boolean> {
  const { matchedCount } = await db.reminders.updateOne(toFilter(push), { $unset: owedFields });
  return matchedCount === 1;
}

/** Postpones the push if the reminder is still pending for the same time. */
export async function postponePush(db: Db, push: OwedPush, until: Date, attempts: number): Promise<boolean> {
  const { matchedCount } = await db.reminders.updateOne(
    { ...toFilter(push), status: "pending", push_at: push.push_at },
    { $set: { push_at: until, push_attempts: attempts } },
  );
  return matchedCount === 1;
}

/** Makes a given-up push of a due reminder due again. False if there is none, or if it is already due. */
export async function makePushDueAgain(db: Db, noteId: string, now: Date): Promise<boolean> {
  if (!ObjectId.isValid(noteId)) return false;
  const reminder = await db.reminders.findOne({ _id: new ObjectId(noteId) }, { projection: { user_id: 1 } });
  if (!reminder) return false;
  const { _id, user_id } = reminder;
  const filter = {
    ...{ _id, user_id },
    ...claimable,
    remind_at: { $lte: now },
    push_at: { $exists: false },
  };
  const { modifiedCount } = await db.reminders.updateOne(filter, {
    $set: { push_at: now, push_attempts: 0 },
  });
  return modifiedCount === 1;
}

/** Sends the pushes of a person's due reminders now, instead of at their next attempt. */
export async function makePushesDueNow(db: Db, ownerId: string, now: Date): Promise<void> {
  const filter = { user_id: ownerId, ...claimable, remind_at: { $lte: now }, push_at: { $gt: now } };
  await db.reminders.updateMany(filter, { $set: { push_at: now } });
}

const toFilter = ({ note_id, user_id, remind_at }: Reminder) => ({
  _id: new ObjectId(note_id),
  user_id,
  remind_at,
});

function toOwedPush(doc: ReminderDoc): OwedPush {
  const { push_attempts, push_sent_to, push_at = doc.remind_at, push_claim = null } = doc;
  return { ...toReminder(doc), push_attempts, push_sent_to, push_at, push_claim };
}
