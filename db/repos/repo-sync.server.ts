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
 * Who may sync a mirror and when. One run at a time holds a mirror by a lease that it renews; a request meanwhile leaves
 * the moment of asking, and the holder goes round again before it lets go. So no push is missed and no two runs write at once.
 */
const LEASE_MS = 3 * MINUTE_MS;
/** A run that waits longer may have been lost with its queue. */
const WAITING_MS = 10 * MINUTE_MS;
const BACKOFF_MAX_MINUTES = DAY_MS / MINUTE_MS;

type SyncToClaim = { id: string; user_id: string; sync_run_id: string | null };

/** A mirror as a write finds it: by its owner, too, who says on which shard it is. */
type Mirror = Pick<RepoDoc, "_id" | "user_id">;

/** Queues a sync. Where one is waiting already, that one is answered. */
export async function requestSync(
  db: Db,
  queue: Queue,
  { id, user_id, sync_run_id }: SyncToClaim,
  trigger: RunTrigger,
  now: Date,
): Promise<string> {
  const waiting = sync_run_id === null ? null : await findRun(db, sync_run_id);
  const isFresh = waiting && now.getTime() - waiting.created_at.getTime() < WAITING_MS;
  if (isFresh && waiting.status === "pending") return waiting.run_id;
  const mirror = { _id: new ObjectId(id), user_id };
  await db.repos.updateOne(mirror, { $max: { wanted_at: now } });
  const { run_id } = await triggerJob(db, queue, "repo_sync", trigger, now, { repo_id: id }, user_id);
  await db.repos.updateOne(mirror, { $set: { sync_run_id: run_id } });
  return run_id;
}

/** Mirrors whose time has come and that nobody holds. */
export function listDueRepos(db: Db, now: Date, limit: number): Promise<RepoDoc[]> {
  return db.repos
    .find({ next_sync_at: { $lte: now }, named: { $gt: "" } })
    .sort({ next_sync_at: 1 })
    .limit(limit)
    .toArray();
}

/** Puts the next time off, so that a sweep does not queue one mirror twice. */
export async function deferSync(db: Db, repo: RepoDoc, next_sync_at: Date): Promise<boolean> {
  const deferred = await db.repos.updateOne(
    { _id: repo._id, user_id: repo.user_id, next_sync_at: repo.next_sync_at },
    { $set: { next_sync_at } },
  );
  return deferred.modifiedCount === 1;
}

/** Who wants to hold a mirror, and which workers are alive: what a dead one held is free. */
type Claim = { holder: string; worker_id: string; living: readonly string[] };

/** The mirror, held; null where another run holds it or it is gone. */
export function claimSync(
  db: Db,
  { _id, user_id }: Mirror,
  { holder, worker_id, living }: Claim,
  now: Date,
): Promise<RepoDoc | null> {
  return db.repos.findOneAndUpdate(
    { _id, user_id, named: { $gt: "" }, ...notHeld(living, now) },
    { $set: { lease: { holder, worker_id, until: untilAfter(now) } } },
    { returnDocument: "after" },
  );
}

const heldByNone = (living: readonly string[]) => ({ "lease.worker_id": { $gt: "", $nin: [...living] } });

/** No living worker syncs it. */
export const notHeld = (living: readonly string[], now: Date) => ({
  $or: [{ "lease.until": { $not: { $gt: now } } }, heldByNone(living)],
});

/** Mirrors whose sync ended with the worker that made it. */
export function listAbandoned(db: Db, living: readonly string[], limit: number): Promise<RepoDoc[]> {
  return db.repos
    .find({ "lease.until": { $gt: new Date(0) }, named: { $gt: "" }, ...heldByNone(living) })
    .sort({ "lease.until": 1 })
    .limit(limit)
    .toArray();
}

const untilAfter = (now: Date) => new Date(now.getTime() + LEASE_MS);
const held = ({ _id, user_id }: Mirror, holder: string) => ({
  _id,
  user_id,
  named: { $gt: "" },
  "lease.holder": holder,
});

/** Writes while the lease is held and renews it; false where it was lost or the mirror is gone, and nothing was written. */
export async function writeHeld(
  db: Db,
  mirror: Mirror,
  holder: string,
  now: Date,
  columns: Partial<RepoDoc> = {},
): Promise<boolean> {
  const done = await db.repos.updateOne(held(mirror, holder), {
    $set: { ...columns, "lease.until": untilAfter(now) },
  });
  return done.matchedCount === 1;
}

export type Synced = Pick<RepoDoc, "branch" | "head" | "files" | "bytes" | "skipped">;

/**
 * Lets go of the mirror with its new state. False where a sync was requested after this one began: the state is written, and
 * the holder goes round again.
 */
export async function finishSync(
  db: Db,
  mirror: Mirror,
  holder: string,
  { synced, began, now, next }: { synced: Synced; began: Date; now: Date; next: Date },
): Promise<boolean> {
  const state = { ...synced, error: null, failures: 0, last_sync_time: now, next_sync_at: next };
  const let_go: UpdateFilter<RepoDoc> = { $set: state, $unset: { lease: "", pending_head: "" } };
  const done = await db.repos.updateOne({ ...held(mirror, holder), wanted_at: { $lte: began } }, let_go);
  if (done.matchedCount === 1) return true;
  const kept = await db.repos.updateOne(held(mirror, holder), {
    $set: { ...state, "lease.until": untilAfter(now) },
    $unset: { pending_head: "" },
  });
  // Lost or gone: there is nothing to go round for.
  return kept.matchedCount === 0;
}

/** Lets go of a mirror that could not be synced: what it had stays, and each failure in a row waits twice as long. */
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
  await db.repos.updateOne(held(repo, holder), {
    $set: { error, failures, next_sync_at },
    $unset: { lease: "" },
  });
}

/** Lets go without a word, where a stopping worker gives the run up or a dead one can no longer. */
export async function releaseSync(db: Db, { _id, user_id }: Mirror, holder: string): Promise<void> {
  await db.repos.updateOne({ _id, user_id, "lease.holder": holder }, { $unset: { lease: "" } });
}
