import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { PushEventDoc, SkippedReason } from "#db/reminders/push/documents.ts";
import type { FileSavedPush, NoteNewsKind } from "#domain/reminders/push-message.ts";

export type PushEvent = Omit<PushEventDoc, "_id"> & { id: string; attempts: number; sent_to: string[] };

/** An agent's action for a person. Of a note only the id is stored; its text is read when the message is sent. */
export type News =
  | ({ kind: "file_saved" } & FileSavedPush)
  | { kind: NoteNewsKind; note_id: string; file_id: string | null };

export async function createPushEvent(db: Db, ownerId: string, news: News, now: Date): Promise<void> {
  await db.push_events.insertOne({
    _id: new ObjectId(),
    user_id: ownerId,
    ...news,
    created_at: now,
    needs_push: true,
    attempts: 0,
    sent_at: null,
    skipped_reason: null,
  });
}

const toEventFilter = ({ id, user_id }: PushEvent) => ({ _id: new ObjectId(id), user_id });
const toDueFilter = (now: Date) => ({
  needs_push: true,
  $or: [{ retry_at: null }, { retry_at: { $lte: now } }],
});

export async function listDueEvents(db: Db, now: Date, limit: number): Promise<PushEvent[]> {
  const docs = await db.push_events
    .find(toDueFilter(now))
    .sort({ created_at: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toEvent);
}

/** Claims an event for a worker until `claimedUntil`; null if another worker has it. */
export async function claimEvent(
  db: Db,
  event: PushEvent,
  now: Date,
  claimedUntil: Date,
): Promise<PushEvent | null> {
  const doc = await db.push_events.findOneAndUpdate(
    { ...toEventFilter(event), ...toDueFilter(now) },
    { $set: { retry_at: claimedUntil } },
    { returnDocument: "after" },
  );
  return doc && toEvent(doc);
}

const toClaimFilter = (event: PushEvent) => ({
  ...toEventFilter(event),
  needs_push: true,
  retry_at: event.retry_at,
});

export async function isEventStillClaimed(db: Db, event: PushEvent): Promise<boolean> {
  return (await db.push_events.findOne(toClaimFilter(event), { projection: { _id: 1 } })) !== null;
}

export async function recordEventSent(db: Db, event: PushEvent, endpointHash: string): Promise<void> {
  await db.push_events.updateOne(toEventFilter(event), { $addToSet: { sent_to: endpointHash } });
}

/** Ends an event as sent or as skipped with a reason. The last send is recorded in the same write. */
export async function completeEvent(
  db: Db,
  event: PushEvent,
  end: { sent_at: Date } | { skipped_reason: SkippedReason },
  attempts: number,
  lastHash?: string,
): Promise<boolean> {
  const fields = { sent_at: null, skipped_reason: null, ...end, needs_push: false, attempts };
  const { matchedCount } = await db.push_events.updateOne(toClaimFilter(event), {
    $set: fields,
    $unset: { retry_at: 1 },
    ...(lastHash ? { $addToSet: { sent_to: lastHash } } : {}),
  });
  return matchedCount === 1;
}

export async function postponeEvent(
  db: Db,
  event: PushEvent,
  until: Date,
  attempts: number,
): Promise<boolean> {
  const { matchedCount } = await db.push_events.updateOne(toClaimFilter(event), {
    $set: { retry_at: until, attempts },
  });
  return matchedCount === 1;
}

/** Makes a given-up event due again. False if there is no such event. */
export async function makeEventDueAgain(db: Db, eventId: string): Promise<boolean> {
  if (!ObjectId.isValid(eventId)) return false;
  const event = await db.push_events.findOne({ _id: new ObjectId(eventId) }, { projection: { user_id: 1 } });
  if (!event) return false;
  const { _id, user_id } = event;
  const { modifiedCount } = await db.push_events.updateOne(
    { _id, user_id, skipped_reason: "delivery_failed", needs_push: false },
    { $set: { needs_push: true, attempts: 0, skipped_reason: null } },
  );
  return modifiedCount === 1;
}

export async function makeEventsDueNow(db: Db, ownerId: string, now: Date): Promise<void> {
  const filter = { user_id: ownerId, needs_push: true, retry_at: { $gt: now } };
  await db.push_events.updateMany(filter, { $set: { retry_at: now } });
}

function toEvent({ _id, ...event }: PushEventDoc): PushEvent {
  return { id: _id.toHexString(), ...event, attempts: event.attempts ?? 0, sent_to: event.sent_to ?? [] };
}
