import type { Db } from "#db/client.ts";
import { removeArchive } from "#db/library-zip/library-import-archives.server.ts";
import type { LibraryImport } from "#db/library-zip/library-imports.server.ts";
import {
  type Damage,
  type ImportFailure,
  type ImportProgress,
  type ImportReport,
  WORKING_STATES,
} from "#domain/library-zip/library-import.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/**
 * The worker's side of an import. A worker claims it with its own id, and every write names that id, so that a worker that was considered
 * dead cannot overwrite the work of another. Adding the same twice would be harmless, because imported documents keep their ids.
 */
export type HeldImport = LibraryImport & { worker_id: string };

const UNCLAIMED_MAX_MS = 30 * MINUTE_MS;
/** Longer than any portion may take. A worker that could not record the end of its import is alive but silent about it. */
const SILENCE_MAX_MS = 5 * MINUTE_MS;
const toWorkingFilter = () => ({ state: { $in: [...WORKING_STATES] } });
const toClaimFilter = ({ user_id, import_id, state, worker_id }: HeldImport) => ({
  _id: user_id,
  import_id,
  state,
  worker_id,
});

/** Claims an import for one worker. Null if it has ended or if another living worker has it. */
export async function claimImport(
  db: Db,
  { user_id, import_id }: { user_id: string; import_id: string },
  workerId: string,
  living: readonly string[],
  now: Date,
): Promise<HeldImport | null> {
  const otherWorkers = living.filter((id) => id !== workerId);
  const doc = await db.library_imports.findOneAndUpdate(
    { _id: user_id, import_id, ...toWorkingFilter(), worker_id: { $nin: otherWorkers } },
    { $set: { worker_id: workerId, progressed_at: now }, $inc: { attempts: 1 } },
    { returnDocument: "after" },
  );
  return doc && { ...doc, user_id: doc._id, worker_id: workerId };
}

type HoldState = "held" | "cancelled" | "lost";

/** Records progress and returns whether to continue. */
export async function recordImportProgress(
  db: Db,
  heldImport: HeldImport,
  progress: ImportProgress,
  now: Date,
): Promise<HoldState> {
  const doc = await db.library_imports.findOneAndUpdate(
    toClaimFilter(heldImport),
    { $set: { progress, progressed_at: now } },
    { projection: { cancel_requested_at: 1 } },
  );
  return !doc ? "lost" : doc.cancel_requested_at ? "cancelled" : "held";
}

/** Lets an import wait for a worker again. Stopping a worker in order does not count as an attempt. */
export async function releaseImport(db: Db, heldImport: HeldImport): Promise<void> {
  await db.library_imports.updateOne(toClaimFilter(heldImport), {
    $set: { worker_id: null },
    $inc: { attempts: -1 },
  });
}

type Ending =
  | { state: "done"; report: ImportReport }
  | { state: "refused"; damage: Damage }
  | { state: "failed"; failure: ImportFailure; report: ImportReport | null }
  | { state: "cancelled"; report: ImportReport | null };

/** Ends an import and removes its zip. False if another worker has it, or none. */
export async function endImport(db: Db, heldImport: HeldImport, ending: Ending, now: Date): Promise<boolean> {
  const result = await db.library_imports.updateOne(toClaimFilter(heldImport), {
    $set: { ...ending, ended_at: now },
  });
  if (result.matchedCount === 1) await removeArchive(db, heldImport);
  return result.matchedCount === 1;
}

/** Marks a zip as good; its owner then decides, unless the import was cancelled in between. */
export async function setImportChecked(
  db: Db,
  heldImport: HeldImport,
  plan: ImportReport,
): Promise<HoldState> {
  const result = await db.library_imports.updateOne(
    { ...toClaimFilter(heldImport), cancel_requested_at: { $exists: false } },
    { $set: { state: "checked", plan } },
  );
  if (result.matchedCount === 1) return "held";
  return (await db.library_imports.findOne(toClaimFilter(heldImport))) ? "cancelled" : "lost";
}

/** Lists imports whose worker is gone or silent, and those that waited so long that their queued job must be lost. */
export async function listAbandonedImports(
  db: Db,
  living: readonly string[],
  now: Date,
  limit: number,
): Promise<LibraryImport[]> {
  const olderThan = (ms: number) => ({ $lt: new Date(now.getTime() - ms) });
  const docs = await db.library_imports
    .find({
      ...toWorkingFilter(),
      $or: [
        { worker_id: { $gt: "", $nin: [...living] } },
        { worker_id: { $gt: "" }, progressed_at: olderThan(SILENCE_MAX_MS) },
        { worker_id: null, queued_at: olderThan(UNCLAIMED_MAX_MS) },
      ],
    })
    .limit(limit)
    .toArray();
  return docs.map(({ _id, ...doc }) => ({ user_id: _id, ...doc }));
}

/** Lets an import whose worker is gone wait in the queue again. */
export async function requeueImport(db: Db, { user_id, import_id, worker_id }: LibraryImport, now: Date) {
  await db.library_imports.updateOne(
    { _id: user_id, import_id, ...toWorkingFilter(), worker_id },
    { $set: { worker_id: null, queued_at: now } },
  );
}
