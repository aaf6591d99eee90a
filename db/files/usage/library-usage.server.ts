/**
 * Limits the bytes of text of each person without a transaction and without reading the library on a save. Storing first adds
 * its bytes to the person's counter with a conditional write that fails without room, and then returns those not stored. Deleting
 * returns only what this call deleted. So it is never too low, except from an election to the next count; it may be too high, as the
 * store empties the trash itself and a process may die. A recount corrects it: it runs while no such work is active (`stored_at`,
 * `deleting`) and counts only if none began in between (`changes`), so it loses no reservation.
 */

import type { Collection, Document, Filter, UpdateFilter } from "mongodb";
import type { Db } from "#db/client.ts";
import { asFilter } from "#db/core/driver/driver-types.ts";
import { UNCONFIRMED } from "#db/core/driver/write-concern.ts";
import { isStorageFault, skipDuplicate } from "#db/core/faults.server.ts";
import type { UsageDoc } from "#db/files/documents.ts";
import { measureLibrary } from "#db/files/usage/library-measuring.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

type LibraryUsage = { used_bytes: number; max_bytes: number | null };

type NeededRoom = {
  bytes: number;
  /** How many of these files a person uploaded; jobs have limits of their own. */
  uploads?: number;
};
/** Reports bytes that were not stored or were deleted. */
export type FreeBytes = (bytes: number) => void;

const ATTEMPTS = 5;
/** No request or job takes this long to store what it reserved. */
const STORING_MAX_MS = 5 * MINUTE_MS;
/** No request or job takes this long to finish a deletion. */
const DELETING_MAX_MS = HOUR_MS;
/** Requests that find a library full recount it at most this often. */
const RECOUNT_EVERY_MS = MINUTE_MS;

/**
 * Runs work that stores this many bytes, or refuses it before it begins; throws if the disk is full. If the work throws, it is
 * unknown what it stored, so its bytes stay counted until the next count.
 */
export async function runWithinQuota<T>(
  db: Db,
  ownerId: string,
  needed: NeededRoom,
  now: Date,
  work: (free: FreeBytes) => Promise<T>,
): Promise<T | Refusal> {
  if (needed.bytes === 0 && !needed.uploads) return work(() => {});
  await db.disk.refuseIfFull();
  const refusal = await reserveRoom(db, ownerId, needed, now);
  if (refusal) return refusal;
  const { result, freed } = await sumFreed(work);
  if (freed > 0) await tryUpdateUsage(db, { _id: ownerId }, { $inc: { bytes: -freed, changes: 1 } });
  return result;
}

/** Runs work that deletes texts and reports how many bytes it deleted. */
export async function freeBytes<T>(
  db: Db,
  ownerId: string,
  now: Date,
  work: (free: FreeBytes) => Promise<T>,
): Promise<T> {
  const id = generateToken(9);
  const { matchedCount } = await db.library_usage.updateOne(
    { _id: ownerId },
    { $inc: { changes: 1 }, $push: { deleting: { id, at: now } } },
  );
  // A person without a counter is counted later, without these texts.
  if (matchedCount === 0) return work(() => {});
  const { result, freed } = await sumFreed(work);
  // A count that considered this work abandoned includes its result.
  const isCounted = { _id: ownerId, "deleting.id": id };
  await tryUpdateUsage(db, isCounted, { $inc: { bytes: -freed, changes: 1 }, $pull: { deleting: { id } } });
  return result;
}

async function sumFreed<T>(work: (free: FreeBytes) => Promise<T>): Promise<{ result: T; freed: number }> {
  let freed = 0;
  const result = await work((bytes) => {
    freed += bytes;
  });
  return { result, freed };
}

/** The work is done, so a failure here does not reach the caller. A lost write leaves the counter too high until the next count. */
async function tryUpdateUsage(
  db: Db,
  filter: Filter<UsageDoc> & { _id: string },
  update: UpdateFilter<UsageDoc>,
): Promise<void> {
  try {
    await db.library_usage.updateOne(filter, update, { writeConcern: UNCONFIRMED });
  } catch (error) {
    if (!isStorageFault(error)) throw error;
  }
}

async function reserveRoom(db: Db, ownerId: string, needed: NeededRoom, now: Date): Promise<Refusal | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await tryReserveRoom(db, ownerId, needed, now)) return null;
    const usage = await findOrCreateUsage(db, ownerId, now);
    const refusal = findRoomRefusal(db, usage, needed, now);
    if (!refusal) continue;
    if (refusal.refused !== "library_full" || !(await recountIfOld(db, usage, now))) return refusal;
  }
  throw new Error("The counter of a library changed faster than it could be written");
}

const toMinute = (now: Date) => Math.floor(now.getTime() / MINUTE_MS);

async function tryReserveRoom(
  { library_usage, limits }: Db,
  _id: string,
  { bytes, uploads = 0 }: NeededRoom,
  now: Date,
): Promise<boolean> {
  const minute = toMinute(now);
  const roomFilter = limits && bytes > 0 ? { bytes: { $lte: limits.maxLibraryBytes - bytes } } : {};
  const uploadFilter = limits
    ? { $or: [{ upload_minute: { $ne: minute } }, { uploads: { $lte: limits.uploadsPerMinute - uploads } }] }
    : {};
  const isSameMinute = { $eq: ["$upload_minute", minute] };
  const uploadFields = {
    uploads: { $add: [{ $cond: [isSameMinute, "$uploads", 0] }, uploads] },
    upload_minute: minute,
  };
  const reservation = {
    bytes: { $add: ["$bytes", bytes] },
    changes: { $add: ["$changes", 1] },
    stored_at: now,
    ...(uploads > 0 ? uploadFields : {}),
  };
  const filter = { _id, ...roomFilter, ...(uploads > 0 ? uploadFilter : {}) };
  const { matchedCount } = await library_usage.updateOne(filter, [{ $set: reservation }], {
    writeConcern: UNCONFIRMED,
  });
  return matchedCount === 1;
}

function findRoomRefusal({ limits }: Db, usage: UsageDoc, { bytes, uploads = 0 }: NeededRoom, now: Date) {
  if (!limits) return null;
  const { maxLibraryBytes: max_bytes, uploadsPerMinute } = limits;
  if (usage.bytes + bytes > max_bytes && bytes > 0)
    return Refusal("library_full", { max_bytes, used_bytes: usage.bytes });
  const isSameMinute = usage.upload_minute === toMinute(now);
  if (uploads === 0 || !isSameMinute || (usage.uploads ?? 0) + uploads <= uploadsPerMinute) return null;
  const retry_after = Math.max(1, Math.ceil((MINUTE_MS - (now.getTime() % MINUTE_MS)) / 1_000));
  return Refusal("rate_limit_exceeded", { retry_after });
}

/** Returns the counter of a person. If there is none, nothing was stored with it yet, and the library is counted. */
async function findOrCreateUsage(db: Db, ownerId: string, now: Date): Promise<UsageDoc> {
  const usage = await db.library_usage.findOne({ _id: ownerId });
  if (usage) return usage;
  const bytes = await measureLibrary(db, ownerId);
  const newUsage = { _id: ownerId, bytes, changes: 0, counted_at: now };
  if (await skipDuplicate(db.library_usage.insertOne(newUsage))) return newUsage;
  return (await db.library_usage.findOne({ _id: ownerId })) ?? newUsage;
}

export async function readUsage(db: Db, ownerId: string, now: Date): Promise<LibraryUsage> {
  const { bytes } = await findOrCreateUsage(db, ownerId, now);
  return { used_bytes: bytes, max_bytes: db.limits?.maxLibraryBytes ?? null };
}

/** Returns the refusal of this many more bytes, before any work begins; null if there is room. */
export async function checkLibraryRoom(
  db: Db,
  ownerId: string,
  bytes: number,
  now: Date,
): Promise<Refusal | null> {
  const usage = await findOrCreateUsage(db, ownerId, now);
  const refusal = findRoomRefusal(db, usage, { bytes }, now);
  if (!refusal || !(await recountIfOld(db, usage, now))) return refusal;
  return findRoomRefusal(db, await findOrCreateUsage(db, ownerId, now), { bytes }, now);
}

async function recountIfOld(db: Db, { _id, counted_at }: UsageDoc, now: Date): Promise<boolean> {
  const isOld = Math.abs(now.getTime() - counted_at.getTime()) >= RECOUNT_EVERY_MS;
  return isOld && recountUsage(db, _id, now);
}

/** Recounts a library. False if something is being stored or deleted; the next count follows. */
export async function recountUsage(db: Db, ownerId: string, now: Date): Promise<boolean> {
  const usage = await findOrCreateUsage(db, ownerId, now);
  const isPast = (date: Date, ms: number) => Math.abs(now.getTime() - date.getTime()) > ms;
  if (usage.stored_at && !isPast(usage.stored_at, STORING_MAX_MS)) return false;
  if (!(usage.deleting ?? []).every(({ at }) => isPast(at, DELETING_MAX_MS))) return false;
  const bytes = await measureLibrary(db, ownerId);
  const { matchedCount } = await db.library_usage.updateOne(
    { _id: ownerId, changes: usage.changes },
    { $set: { bytes, counted_at: now }, $unset: { deleting: "" }, $inc: { changes: 1 } },
  );
  return matchedCount === 1;
}

const RECOUNTED_AFTER_MS = 24 * HOUR_MS;
const RECOUNTED_AT_ONCE = 500;

/** Recounts libraries whose last count is a day old, the oldest first. Returns how many were counted. */
export async function recountLibraries(db: Db, now: Date): Promise<number> {
  const due = await db.library_usage
    .find({ counted_at: { $lt: new Date(now.getTime() - RECOUNTED_AFTER_MS) } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ counted_at: 1 })
    .limit(RECOUNTED_AT_ONCE)
    .toArray();
  let counted = 0;
  for (const { _id } of due) if (await recountUsage(db, _id, now)) counted += 1;
  return counted;
}

/**
 * Deletes documents and returns the bytes of their texts: none if another call deleted one of them, so that nothing is returned
 * twice. `bytes` is the expression that measures a document.
 */
export async function deleteMeasured<Doc extends Document>(
  collection: Collection<Doc>,
  filter: Filter<Doc>,
  bytes: object | string,
): Promise<{ deleted: number; bytes: number }> {
  const docs = await collection
    .aggregate<{ _id: Doc["_id"]; bytes: number }>([{ $match: filter }, { $project: { bytes } }])
    .toArray();
  if (docs.length === 0) return { deleted: 0, bytes: 0 };
  const docsFilter = asFilter<Doc>({ _id: { $in: docs.map(({ _id }) => _id) } });
  const { deletedCount } = await collection.deleteMany(docsFilter);
  const isOurs = deletedCount === docs.length;
  return { deleted: deletedCount, bytes: isOurs ? docs.reduce((sum, doc) => sum + doc.bytes, 0) : 0 };
}
