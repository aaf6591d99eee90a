import { closeOrphanedRun, findRun } from "#db/jobs/job-runs.server.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { listAbandonedSyncs, releaseSync } from "#db/repos/repo-sync.server.ts";
import type { WorkerServices } from "#worker/job.ts";

const SYNCS_MAX = 200;

/** Lists the living workers. This one is always among them, even with a late heartbeat. */
export async function listLivingWorkerIds({ db, clock, workerId }: WorkerServices): Promise<string[]> {
  const living = await listLivingWorkers(db, clock());
  return [workerId, ...living.map(({ worker_id }) => worker_id)];
}

/**
 * Restarts each sync whose worker stopped. The mirror is released last: if this worker dies before that, the next check finds
 * it, and a sync that was queued twice finds the other one running.
 */
export async function requeueAbandonedSyncs(services: WorkerServices): Promise<number> {
  const { db, requeue } = services;
  if (!requeue) return 0;
  const living = await listLivingWorkerIds(services);
  const abandoned = await listAbandonedSyncs(db, living, SYNCS_MAX);
  for (const repo of abandoned) {
    await closeSyncRun(services, repo, living);
    await requeue("repo_sync", "scheduled", { repo_id: repo._id.toHexString() }, repo.user_id);
    if (repo.lease) await releaseSync(db, repo, repo.lease.holder);
  }
  return abandoned.length;
}

/** Closes the run that the owner watches, so that it does not look as if it continued. */
async function closeSyncRun(
  { db, clock }: WorkerServices,
  { sync_run_id }: RepoDoc,
  living: string[],
): Promise<void> {
  const run = sync_run_id === null ? null : await findRun(db, sync_run_id);
  if (run?.status !== "running" || living.includes(run.worker_id ?? "")) return;
  await closeOrphanedRun(db, run, clock());
}
