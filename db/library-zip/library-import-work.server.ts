import type { Db } from "#db/client.ts";
import { removeArchive } from "#db/library-zip/library-import-archives.server.ts";
import type { LibraryImport } from "#db/library-zip/library-imports.server.ts";
import {
  type Damage,
  type ImportFailure,
  type ImportProgress,
  type ImportReport,
  WORKING_STATES,
} from "#domain/files/library-import.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/**
 * The worker's side of an import. A worker holds it by its own id; every write names that id, so that one that was taken for
 * dead cannot write over what another does. Both adding the same at once would be harmless: what is imported keeps its id.
 */
export type HeldImport = LibraryImport & { worker_id: string };

const UNCLAIMED_MAX_MS = 30 * MINUTE_MS;
/** Longer than any portion may take. A worker that could not write how its import ended lives on and is silent about it. */
const SILENCE_MAX_MS = 5 * MINUTE_MS;
const working = () => ({ state: { $in: [...WORKING_STATES] } });
const held = ({ user_id, import_id, state, worker_id }: HeldImport) => ({
  _id: user_id,
  import_id,
  state,
  worker_id,
});

/** For one worker only. Null where the import has ended, or where another living worker has it. */
export async function claimImport(
  db: Db,
  { user_id, import_id }: { user_id: string; import_id: string },
  workerId: string,
  living: readonly string[],
  now: Date,
): Promise<HeldImport | null> {
  const others = living.filter((id) => id !== workerId);
  const doc = await db.library_imports.findOneAndUpdate(
    { _id: user_id, import_id, ...working(), worker_id: { $nin: others } },
    { $set: { worker_id: workerId, progressed_at: now }, $inc: { attempts: 1 } },
    { returnDocument: "after" },
  );
  return doc && { ...doc, user_id: doc._id, worker_id: workerId };
}

type HoldState = "held" | "cancelled" | "lost";

/** Says how far it is, and learns whether to go on. */
export async function recordImportProgress(
  db: Db,
  imported: HeldImport,
  progress: ImportProgress,
  now: Date,
): Promise<HoldState> {
  const doc = await db.library_imports.findOneAndUpdate(
    held(imported),
    { $set: { progress, progressed_at: now } },
    { projection: { cancel_requested_at: 1 } },
  );
  return !doc ? "lost" : doc.cancel_requested_at ? "cancelled" : "held";
}

/** Waits for a worker again; a worker that stops in order has not failed at it. */
export async function releaseImport(db: Db, imported: HeldImport): Promise<void> {
  await db.library_imports.updateOne(held(imported), { $set: { worker_id: null }, $inc: { attempts: -1 } });
}

type Ending =
  | { state: "done"; report: ImportReport }
  | { state: "refused"; damage: Damage }
  | { state: "failed"; failure: ImportFailure; report: ImportReport | null }
  | { state: "cancelled"; report: ImportReport | null };

/** Its zip goes with it. False where another worker has it, or nobody. */
export async function endImport(db: Db, imported: HeldImport, ending: Ending, now: Date): Promise<boolean> {
  const ended = await db.library_imports.updateOne(held(imported), { $set: { ...ending, ended_at: now } });
  if (ended.matchedCount === 1) await removeArchive(db, imported);
  return ended.matchedCount === 1;
}

/** The zip is good; its owner decides, unless the import was cancelled meanwhile. */
export async function setImportChecked(db: Db, imported: HeldImport, plan: ImportReport): Promise<HoldState> {
  const checked = await db.library_imports.updateOne(
    { ...held(imported), cancel_requested_at: { $exists: false } },
    { $set: { state: "checked", plan } },
  );
  if (checked.matchedCount === 1) return "held";
  return (await db.library_imports.findOne(held(imported))) ? "cancelled" : "lost";
}

/** Those whose worker is gone or silent, and those that no worker took for so long that their place in the queue must be lost. */
export async function listAbandonedImports(
  db: Db,
  living: readonly string[],
  now: Date,
  limit: number,
): Promise<LibraryImport[]> {
  const before = (ms: number) => ({ $lt: new Date(now.getTime() - ms) });
  const docs = await db.library_imports
    .find({
      ...working(),
      $or: [
        { worker_id: { $gt: "", $nin: [...living] } },
        { worker_id: { $gt: "" }, progressed_at: before(SILENCE_MAX_MS) },
        { worker_id: null, queued_at: before(UNCLAIMED_MAX_MS) },
      ],
    })
    .limit(limit)
    .toArray();
  return docs.map(({ _id, ...doc }) => ({ user_id: _id, ...doc }));
}

/** Its worker is gone: it waits in the queue again. */
export async function setImportQueued(db: Db, { user_id, import_id, worker_id }: LibraryImport, now: Date) {
  await db.library_imports.updateOne(
    { _id: user_id, import_id, ...working(), worker_id },
    { $set: { worker_id: null, queued_at: now } },
  );
}
