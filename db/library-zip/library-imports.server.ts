import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { LibraryImportDoc } from "#db/library-zip/documents.ts";
import {
  ARCHIVE_KEPT_MS,
  removeArchive,
  removeOtherArchives,
} from "#db/library-zip/library-import-archives.server.ts";
import { type ImportState, WORKING_STATES, type WorkingState } from "#domain/files/library-import.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

export type LibraryImport = Omit<LibraryImportDoc, "_id"> & { user_id: string };

const RECEIVING_HELD_MS = 2 * MINUTE_MS;
const RESULT_KEPT_MS = 30 * DAY_MS;
const after = (now: Date, ms: number) => new Date(now.getTime() + ms);
const toImport = ({ _id, ...doc }: LibraryImportDoc): LibraryImport => ({ user_id: _id, ...doc });

/** What a new zip does not replace: one that a worker has or will take, and one that is being received. */
const standing = (now: Date): Filter<LibraryImportDoc>[] => [
  { state: { $in: [...WORKING_STATES] } },
  { state: "receiving", held_until: { $gt: now } },
];

/** A zip is about to arrive. Refused while another import of this person is under way; any other one makes room for it. */
export async function beginReceiving(db: Db, ownerId: string, now: Date): Promise<string | Refusal> {
  const import_id = newToken(18);
  const fresh: Omit<LibraryImportDoc, "_id"> = {
    import_id,
    state: "receiving",
    size_bytes: 0,
    held_until: after(now, RECEIVING_HELD_MS),
    queued_at: null,
    run_id: null,
    worker_id: null,
    progressed_at: null,
    attempts: 0,
    progress: null,
    plan: null,
    report: null,
    damage: null,
    failure: null,
    ended_at: null,
    expires_at: after(now, RESULT_KEPT_MS),
  };
  try {
    await db.library_imports.replaceOne({ _id: ownerId, $nor: standing(now) }, fresh, { upsert: true });
  } catch (error) {
    if (isDuplicateKey(error)) return Refusal("import_under_way");
    throw error;
  }
  await removeOtherArchives(db, { user_id: ownerId, import_id });
  return import_id;
}

type Named = { user_id: string; import_id: string };

/** More of the zip arrived. False where another one has taken its place. */
export async function keepReceiving(db: Db, { user_id, import_id }: Named, now: Date): Promise<boolean> {
  const kept = await db.library_imports.updateOne(
    { _id: user_id, import_id, state: "receiving" },
    { $set: { held_until: after(now, RECEIVING_HELD_MS) } },
  );
  return kept.matchedCount === 1;
}

type Stores = { db: Db; queue: Queue };

/** Queues a part of the work on a zip: its check, or, where its owner said go, its import. */
async function queueWork(
  { db, queue }: Stores,
  { user_id, import_id }: Named,
  from: { filter: Filter<LibraryImportDoc>; state: ImportState },
  to: WorkingState,
  columns: Partial<LibraryImportDoc>,
  now: Date,
): Promise<boolean> {
  const work = { state: to, queued_at: now, worker_id: null, attempts: 0, progress: null, ...columns };
  const named = { _id: user_id, import_id };
  const moved = await db.library_imports.updateOne(
    { ...from.filter, ...named, state: from.state },
    { $set: work },
  );
  if (moved.matchedCount === 0) return false;
  try {
    const run = await triggerJob(db, queue, "library_import", "manual", now, { user_id, import_id });
    await db.library_imports.updateOne(named, { $set: { run_id: run.run_id } });
  } catch (error) {
    await db.library_imports.updateOne({ ...named, state: to }, { $set: { state: from.state } });
    throw error;
  }
  return true;
}

/** What is known of a zip once it is here. */
export type ReceivedZip = Pick<LibraryImportDoc, "size_bytes" | "zip_name" | "folder_id">;

export async function queueCheck(
  stores: Stores,
  received: Named,
  zip: ReceivedZip,
  now: Date,
): Promise<boolean> {
  const from = { state: "receiving", filter: {} } as const;
  const held_until = after(now, ARCHIVE_KEPT_MS);
  return queueWork(stores, received, from, "checking", { ...zip, held_until }, now);
}

/** The owner says go. */
export async function queueImport(stores: Stores, checked: Named, now: Date): Promise<Refusal | null> {
  const from = { state: "checked", filter: { held_until: { $gt: now } } } as const;
  const isQueued = await queueWork(stores, checked, from, "importing", {}, now);
  return isQueued ? null : Refusal("import_not_found");
}

/** The newest import of a person. A zip that was never decided on is gone after a day, and so is its record. */
export async function findImport(db: Db, ownerId: string, now: Date): Promise<LibraryImport | null> {
  const doc = await db.library_imports.findOne({ _id: ownerId });
  if (!doc) return null;
  const isOver = (doc.state === "checked" || doc.state === "receiving") && doc.held_until <= now;
  return isOver ? null : toImport(doc);
}

/** Forgets an import that nobody works on, with its zip. */
export async function removeImport(db: Db, { user_id, import_id }: Named): Promise<boolean> {
  const removed = await db.library_imports.deleteOne({
    _id: user_id,
    import_id,
    state: { $nin: [...WORKING_STATES] },
  });
  if (removed.deletedCount === 1) await removeArchive(db, { user_id, import_id });
  return removed.deletedCount === 1;
}

/**
 * Ends at once what waits for a worker or for its owner; a worker learns of it with its next record. An import that has ended
 * stays as it ended. The order of the writes is the order of the states, so none is missed in between.
 */
export async function cancelImport(
  { db }: Pick<Stores, "db">,
  { user_id, import_id }: Named,
  now: Date,
): Promise<Refusal | null> {
  const named = { _id: user_id, import_id };
  const atWork = { state: { $in: [...WORKING_STATES] } };
  const end = async (waiting: Pick<Filter<LibraryImportDoc>, "state" | "worker_id">) => {
    const ended = await db.library_imports.updateOne(
      { _id: user_id, import_id, ...waiting },
      { $set: { state: "cancelled", ended_at: now } },
    );
    if (ended.matchedCount === 1) await removeArchive(db, { user_id, import_id });
    return ended.matchedCount === 1;
  };
  if (await end({ ...atWork, worker_id: null })) return null;
  const marked = await db.library_imports.updateOne(
    { ...named, ...atWork },
    { $set: { cancel_requested_at: now } },
  );
  if (marked.matchedCount === 1 || (await end({ state: "checked" }))) return null;
  const isThere = (await db.library_imports.findOne(named)) !== null;
  return isThere ? null : Refusal("import_not_found");
}
