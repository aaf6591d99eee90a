import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findRun, type JobRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** The newest runs of a mirror's jobs, for its owner. */
type RunField = "sync_run_id" | "import_run_id" | "analysis_run_id";

const toRepoFilter = ({ id, user_id }: RepoRecord) => ({ _id: new ObjectId(id), user_id });

async function recordRun(db: Db, repo: RepoRecord, field: RunField, runId: string): Promise<void> {
  await db.repos.updateOne(toRepoFilter(repo), { $set: { [field]: runId } });
}

export async function requestImport(
  db: Db,
  queue: Queue,
  repo: RepoRecord,
  path: string,
  now: Date,
): Promise<string> {
  const { run_id } = await triggerJob(db, queue, "repo_import", "manual", now, { repo_id: repo.id, path });
  await recordRun(db, repo, "import_run_id", run_id);
  return run_id;
}

const IMPORT_LEASE_MS = 3 * MINUTE_MS;
const computeLeaseEnd = (now: Date) => new Date(now.getTime() + IMPORT_LEASE_MS);

/** Returns false if another import of this mirror is active. */
export async function claimImport(db: Db, repo: RepoRecord, now: Date): Promise<boolean> {
  const result = await db.repos.updateOne(
    { ...toRepoFilter(repo), importing_until: { $not: { $gt: now } } },
    { $set: { importing_until: computeLeaseEnd(now) } },
  );
  return result.matchedCount === 1;
}

export async function renewImport(db: Db, repo: RepoRecord, now: Date): Promise<void> {
  await db.repos.updateOne(toRepoFilter(repo), { $set: { importing_until: computeLeaseEnd(now) } });
}

export async function releaseImport(db: Db, repo: RepoRecord): Promise<void> {
  await db.repos.updateOne(toRepoFilter(repo), { $unset: { importing_until: "" } });
}

export async function requestAnalysis(db: Db, queue: Queue, repo: RepoRecord, now: Date): Promise<string> {
  const { run_id } = await triggerJob(db, queue, "repo_analysis", "manual", now, { repo_id: repo.id });
  await recordRun(db, repo, "analysis_run_id", run_id);
  return run_id;
}

/** Finds one of the newest runs of this mirror; null for any other run. */
export async function findRepoRun(db: Db, repo: RepoRecord, runId: string): Promise<JobRun | null> {
  const ownRunIds = [repo.sync_run_id, repo.import_run_id, repo.analysis_run_id];
  return ownRunIds.includes(runId) ? findRun(db, runId) : null;
}
