import { ObjectId, type UpdateFilter } from "mongodb";
import type { Db } from "#db/client.ts";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import type { RunTrigger } from "#domain/jobs/job-run.ts";
import type { SyncError } from "#domain/repos/repo.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

/**
 * Controls which run may sync a mirror and when. One run at a time holds a mirror by a lease that it renews. A request during a sync
 * records its time, and the holder syncs again before it releases the mirror. So no push is missed, and two runs never write at once.
 */
const LEASE_MS = 3 * MINUTE_MS;
/** A run that waits longer may have been lost with its queue. */
const WAITING_MS = 10 * MINUTE_MS;
const BACKOFF_MAX_MINUTES = DAY_MS / MINUTE_MS;

type SyncToClaim = { id: string; user_id: string; sync_run_id: string | null };

/** The key of a mirror for writes. The owner determines its shard. */
type Mirror = Pick<RepoDoc, "_id" | "user_id">;

/** Queues a sync. If a sync is already waiting, its run is returned. */
export async function requestSync(
  db: Db,
  queue: Queue,
  { id, user_id, sync_run_id }: SyncToClaim,
  trigger: RunTrigger,
  now: Date,
): Promise<string> {
  const lastRun = sync_run_id === null ? null : await findRun(db, sync_run_id);
  const isFresh = lastRun && now.getTime() - lastRun.created_at.getTime() < WAITING_MS;
  if (isFresh && lastRun.status === "pending") return lastRun.run_id;
  const mirror = { _id: new ObjectId(id), user_id };
  await db.repos.updateOne(mirror, { $max: { wanted_at: now } });
  const { run_id } = await triggerJob(db, queue, "repo_sync", trigger, now, { repo_id: id }, user_id);
  await db.repos.updateOne(mirror, { $set: { sync_run_id: run_id } });
  return run_id;
}

export function listDueRepos(db: Db, now: Date, limit: number): Promise<RepoDoc[]> {
  return db.repos
    .find({ next_sync_at: { $lte: now }, named: { $gt: "" } })
    .sort({ next_sync_at: 1 })
    .limit(limit)
    .toArray();
}

/** Postpones the next sync, so that a sweep does not queue a mirror twice. */
export async function deferSync(db: Db, repo: RepoDoc, next_sync_at: Date): Promise<boolean> {
  const result = await db.repos.updateOne(
    { _id: repo._id, user_id: repo.user_id, next_sync_at: repo.next_sync_at },
    { $set: { next_sync_at } },
  );
  return result.modifiedCount === 1;
}

/** The run that wants to hold a mirror, and the living workers: the lease of a dead worker does not count. */
type Claim = { holder: string; worker_id: string; living: readonly string[] };

/** Claims a mirror. Null if another run holds it or if it is gone. */
export function claimSync(
  db: Db,
  { _id, user_id }: Mirror,
  { holder, worker_id, living }: Claim,
  now: Date,
): Promise<RepoDoc | null> {
  return db.repos.findOneAndUpdate(
    { _id, user_id, named: { $gt: "" }, ...toNotHeldFilter(living, now) },
    { $set: { lease: { holder, worker_id, until: computeLeaseEnd(now) } } },
    { returnDocument: "after" },
  );
}

const toDeadHolderFilter = (living: readonly string[]) => ({
  "lease.worker_id": { $gt: "", $nin: [...living] },
});

export const toNotHeldFilter = (living: readonly string[], now: Date) => ({
  $or: [{ "lease.until": { $not: { $gt: now } } }, toDeadHolderFilter(living)],
});

/** Lists mirrors whose sync ended with the worker that ran it. */
export function listAbandonedSyncs(db: Db, living: readonly string[], limit: number): Promise<RepoDoc[]> {
  return db.repos
    .find({ "lease.until": { $gt: new Date(0) }, named: { $gt: "" }, ...toDeadHolderFilter(living) })
    .sort({ "lease.until": 1 })
    .limit(limit)
    .toArray();
}

const computeLeaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS);
const toHolderFilter = ({ _id, user_id }: Mirror, holder: string) => ({
  _id,
  user_id,
  named: { $gt: "" },
  "lease.holder": holder,
});

/** Writes while the lease is held and renews it. False if it was lost or the mirror is gone; then nothing was written. */
export async function writeWhileHeld(
  db: Db,
  mirror: Mirror,
  holder: string,
  now: Date,
  columns: Partial<RepoDoc> = {},
): Promise<boolean> {
  const result = await db.repos.updateOne(toHolderFilter(mirror, holder), {
    $set: { ...columns, "lease.until": computeLeaseEnd(now) },
  });
  return result.matchedCount === 1;
}

export type Synced = Pick<RepoDoc, "branch" | "head" | "files" | "bytes" | "skipped">;

/**
 * Releases the mirror with its new state. False if a sync was requested after this one began: the state is written, and the
 * holder syncs again.
 */
export async function finishSync(
  db: Db,
  mirror: Mirror,
  holder: string,
  { synced, began, now, next }: { synced: Synced; began: Date; now: Date; next: Date },
): Promise<boolean> {
  const state = { ...synced, error: null, failures: 0, last_sync_time: now, next_sync_at: next };
  const release: UpdateFilter<RepoDoc> = { $set: state, $unset: { lease: "", pending_head: "" } };
  const released = await db.repos.updateOne(
    { ...toHolderFilter(mirror, holder), wanted_at: { $lte: began } },
    release,
  );
  if (released.matchedCount === 1) return true;
  const continued = await db.repos.updateOne(toHolderFilter(mirror, holder), {
    $set: { ...state, "lease.until": computeLeaseEnd(now) },
    $unset: { pending_head: "" },
  });
  // The lease was lost or the mirror is gone, so there is nothing to sync again.
  return continued.matchedCount === 0;
}

/** Releases a mirror that could not be synced: its contents stay, and each failure in a row waits twice as long. */
export async function failSync(
  db: Db,
  repo: RepoDoc,
  holder: string,
  error: SyncError,
  { now, everyMinutes }: { now: Date; everyMinutes: number },
): Promise<void> {
  const failures = repo.failures + 1;
  const waitMinutes = Math.min(everyMinutes * 2 ** Math.min(failures - 1, 10), BACKOFF_MAX_MINUTES);
  const next_sync_at = new Date(now.getTime() + waitMinutes * MINUTE_MS);
  await db.repos.updateOne(toHolderFilter(repo, holder), {
    $set: { error, failures, next_sync_at },
    $unset: { lease: "" },
  });
}

/** Releases a mirror without a result, if a stopping worker gives the run up or a worker died. */
export async function releaseSync(db: Db, { _id, user_id }: Mirror, holder: string): Promise<void> {
  await db.repos.updateOne({ _id, user_id, "lease.holder": holder }, { $unset: { lease: "" } });
}
