import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findRun, type JobRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** The newest runs of a mirror's jobs, so that its owner can follow them. */
type RunField = "sync_run_id" | "import_run_id" | "analysis_run_id";

const thisRepo = ({ id, user_id }: RepoRecord) => ({ _id: new ObjectId(id), user_id });

async function remember(db: Db, repo: RepoRecord, field: RunField, runId: string): Promise<void> {
  await db.repos.updateOne(thisRepo(repo), { $set: { [field]: runId } });
}

export async function requestImport(
  db: Db,
  queue: Queue,
  repo: RepoRecord,
  path: string,
  now: Date,
): Promise<string> {
  const { run_id } = await triggerJob(db, queue, "repo_import", "manual", now, { repo_id: repo.id, path });
  await remember(db, repo, "import_run_id", run_id);
  return run_id;
}

const IMPORT_LEASE_MS = 3 * MINUTE_MS;
const importingUntil = (now: Date) => new Date(now.getTime() + IMPORT_LEASE_MS);

/** False where another import of this mirror is at work. */
export async function claimImport(db: Db, repo: RepoRecord, now: Date): Promise<boolean> {
  const claimed = await db.repos.updateOne(
    { ...thisRepo(repo), importing_until: { $not: { $gt: now } } },
    { $set: { importing_until: importingUntil(now) } },
  );
  return claimed.matchedCount === 1;
}

export async function renewImport(db: Db, repo: RepoRecord, now: Date): Promise<void> {
  await db.repos.updateOne(thisRepo(repo), { $set: { importing_until: importingUntil(now) } });
}

export async function releaseImport(db: Db, repo: RepoRecord): Promise<void> {
  await db.repos.updateOne(thisRepo(repo), { $unset: { importing_until: "" } });
}

export async function requestAnalysis(db: Db, queue: Queue, repo: RepoRecord, now: Date): Promise<string> {
  const { run_id } = await triggerJob(db, queue, "repo_analysis", "manual", now, { repo_id: repo.id });
  await remember(db, repo, "analysis_run_id", run_id);
  return run_id;
}

/** One of the newest runs of this mirror; null for any other run. */
export async function findRepoRun(db: Db, repo: RepoRecord, runId: string): Promise<JobRun | null> {
  const own = [repo.sync_run_id, repo.import_run_id, repo.analysis_run_id];
  return own.includes(runId) ? findRun(db, runId) : null;
}
