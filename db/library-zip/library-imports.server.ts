import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { LibraryImportDoc } from "#db/library-zip/documents.ts";
import {
  ARCHIVE_KEPT_MS,
  removeArchive,
  removeOtherArchives,
} from "#db/library-zip/library-import-archives.server.ts";
import { type ImportState, WORKING_STATES, type WorkingState } from "#domain/library-zip/library-import.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

export type LibraryImport = Omit<LibraryImportDoc, "_id"> & { user_id: string };

const RECEIVING_HELD_MS = 2 * MINUTE_MS;
const RESULT_KEPT_MS = 30 * DAY_MS;
const after = (now: Date, ms: number) => new Date(now.getTime() + ms);
const toImport = ({ _id, ...doc }: LibraryImportDoc): LibraryImport => ({ user_id: _id, ...doc });

/** A new zip replaces neither an import that a worker has or will take, nor a zip that is being received. */
const activeImportFilters = (now: Date): Filter<LibraryImportDoc>[] => [
  { state: { $in: [...WORKING_STATES] } },
  { state: "receiving", held_until: { $gt: now } },
];

export async function startReceivingImport(db: Db, ownerId: string, now: Date): Promise<string | Refusal> {
  const import_id = generateToken(18);
  const newDoc: Omit<LibraryImportDoc, "_id"> = {
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
    await db.library_imports.replaceOne({ _id: ownerId, $nor: activeImportFilters(now) }, newDoc, {
      upsert: true,
    });
  } catch (error) {
    if (isDuplicateKey(error)) return Refusal("import_under_way");
    throw error;
  }
  await removeOtherArchives(db, { user_id: ownerId, import_id });
  return import_id;
}

type ImportKey = { user_id: string; import_id: string };

/** Records that more of the zip arrived. False if another import has replaced this one. */
export async function renewReceivingImport(
  db: Db,
  { user_id, import_id }: ImportKey,
  now: Date,
): Promise<boolean> {
  const result = await db.library_imports.updateOne(
    { _id: user_id, import_id, state: "receiving" },
    { $set: { held_until: after(now, RECEIVING_HELD_MS) } },
  );
  return result.matchedCount === 1;
}

type Stores = { db: Db; queue: Queue };

/** Queues a part of the work on a zip: its check, or its import after the owner's confirmation. */
async function queueImportWork(
  { db, queue }: Stores,
  { user_id, import_id }: ImportKey,
  from: { filter: Filter<LibraryImportDoc>; state: ImportState },
  to: WorkingState,
  columns: Partial<LibraryImportDoc>,
  now: Date,
): Promise<boolean> {
  const fields = { state: to, queued_at: now, worker_id: null, attempts: 0, progress: null, ...columns };
  const key = { _id: user_id, import_id };
  const result = await db.library_imports.updateOne(
    { ...from.filter, ...key, state: from.state },
    { $set: fields },
  );
  if (result.matchedCount === 0) return false;
  try {
    const run = await triggerJob(db, queue, "library_import", "manual", now, { user_id, import_id });
    await db.library_imports.updateOne(key, { $set: { run_id: run.run_id } });
  } catch (error) {
    await db.library_imports.updateOne({ ...key, state: to }, { $set: { state: from.state } });
    throw error;
  }
  return true;
}

export type ReceivedZip = Pick<LibraryImportDoc, "size_bytes" | "zip_name" | "folder_id">;

export async function queueImportCheck(
  stores: Stores,
  importKey: ImportKey,
  zip: ReceivedZip,
  now: Date,
): Promise<boolean> {
  const from = { state: "receiving", filter: {} } as const;
  const held_until = after(now, ARCHIVE_KEPT_MS);
  return queueImportWork(stores, importKey, from, "checking", { ...zip, held_until }, now);
}

export async function queueImport(stores: Stores, importKey: ImportKey, now: Date): Promise<Refusal | null> {
  const from = { state: "checked", filter: { held_until: { $gt: now } } } as const;
  const isQueued = await queueImportWork(stores, importKey, from, "importing", {}, now);
  return isQueued ? null : Refusal("import_not_found");
}

/** Finds the newest import of a person. A zip without a decision disappears after a day, and its record, too. */
export async function findImport(db: Db, ownerId: string, now: Date): Promise<LibraryImport | null> {
  const doc = await db.library_imports.findOne({ _id: ownerId });
  if (!doc) return null;
  const isOver = (doc.state === "checked" || doc.state === "receiving") && doc.held_until <= now;
  return isOver ? null : toImport(doc);
}

export async function removeImport(db: Db, { user_id, import_id }: ImportKey): Promise<boolean> {
  const result = await db.library_imports.deleteOne({
    _id: user_id,
    import_id,
    state: { $nin: [...WORKING_STATES] },
  });
  if (result.deletedCount === 1) await removeArchive(db, { user_id, import_id });
  return result.deletedCount === 1;
}

/**
 * Cancels an import that waits for a worker or its owner at once; a worker learns of it with its next record. An import that
 * has ended does not change. The writes follow the order of the states, so that no state in between is missed.
 */
export async function cancelImport(
  { db }: Pick<Stores, "db">,
  { user_id, import_id }: ImportKey,
  now: Date,
): Promise<Refusal | null> {
  const key = { _id: user_id, import_id };
  const working = { state: { $in: [...WORKING_STATES] } };
  const end = async (waiting: Pick<Filter<LibraryImportDoc>, "state" | "worker_id">) => {
    const result = await db.library_imports.updateOne(
      { _id: user_id, import_id, ...waiting },
      { $set: { state: "cancelled", ended_at: now } },
    );
    if (result.matchedCount === 1) await removeArchive(db, { user_id, import_id });
    return result.matchedCount === 1;
  };
  if (await end({ ...working, worker_id: null })) return null;
  const marked = await db.library_imports.updateOne(
    { ...key, ...working },
    { $set: { cancel_requested_at: now } },
  );
  if (marked.matchedCount === 1 || (await end({ state: "checked" }))) return null;
  const exists = (await db.library_imports.findOne(key)) !== null;
  return exists ? null : Refusal("import_not_found");
}
