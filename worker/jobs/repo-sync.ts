import { isAccountLocked } from "#db/accounts/account-state.server.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { claimSync, failSync, finishSync, releaseSync, writeWhileHeld } from "#db/repos/repo-sync.server.ts";
import { findRepoDoc } from "#db/repos/repos.server.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";
import type { JobHandler, Work } from "#worker/job.ts";
import { listLivingWorkerIds } from "#worker/mirror/abandoned.ts";
import { GitFault } from "#worker/mirror/git.ts";
import { queueDueRepos, removeUnmirrored } from "#worker/mirror/sweep.ts";
import { syncMirror } from "#worker/mirror/sync.ts";

const RENEW_EVERY_MS = 30 * SECOND_MS;
const ROUNDS_MAX = 5;

/** Syncs the mirror of the payload, or queues all due mirrors. */
export const repoSync: JobHandler<"repo_sync"> = async (work) => {
  const { services, payload } = work;
  if (payload.repo_id === undefined) {
    const counts = { removed: await removeUnmirrored(services), queued: await queueDueRepos(services) };
    work.writeLog(`Queued ${counts.queued} mirrors that are due; cleared up ${counts.removed} removed ones`);
    return counts;
  }
  const repo = await findRepoDoc(services.db, payload.repo_id);
  if (repo && (await isAccountLocked(services.db, repo.user_id))) return { outcome: "account_locked" };
  const holder = generateToken(9);
  const claim = { holder, worker_id: services.workerId, living: await listLivingWorkerIds(services) };
  const claimed = repo && (await claimSync(services.db, repo, claim, services.clock()));
  // The run that has the mirror notices the further request and syncs again.
  return claimed ? syncClaimed(work, claimed, holder) : { outcome: repo ? "already_syncing" : "gone" };
};

async function syncClaimed(work: Work<"repo_sync">, repo: RepoDoc, holder: string) {
  const { db, clock, mirror, log } = work.services;
  const lostClaim = new AbortController();
  const renewHold = async (columns?: Partial<RepoDoc>) => {
    if (await writeWhileHeld(db, repo, holder, clock(), columns)) return;
    lostClaim.abort(new Error("The mirror was ended or taken over"));
    lostClaim.signal.throwIfAborted();
  };
  const renewal = setInterval(
    () => void renewHold().catch((error) => log.warn("repo_lease_not_renewed", { error })),
    RENEW_EVERY_MS,
  );
  const signal = AbortSignal.any([work.signal, lostClaim.signal]);
  try {
    return await syncUntilDone(work, repo, holder, { signal, hold: renewHold });
  } catch (error) {
    if (error instanceof GitFault) {
      const options = { now: clock(), everyMinutes: mirror.everyMinutes };
      await failSync(db, repo, holder, error.code, options);
      work.writeLog(`Gave up: ${error.code}`);
    } else await releaseSync(db, repo, holder);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

type Holding = { signal: AbortSignal; hold(columns?: Partial<RepoDoc>): Promise<void> };

async function syncUntilDone(
  work: Work<"repo_sync">,
  claimed: RepoDoc,
  holder: string,
  { signal, hold }: Holding,
) {
  const { db, clock, mirror, requeue } = work.services;
  const repo_id = claimed._id.toHexString();
  let [repo, changed, isDone]: [RepoDoc | null, number, boolean] = [claimed, 0, false];
  for (let round = 0; round < ROUNDS_MAX && repo && !isDone; round += 1) {
    const startedAt = clock();
    const { report, writeLog } = work;
    const task = { db, config: mirror, now: startedAt, signal, hold, report, writeLog };
    const result = await syncMirror(task, repo);
    const now = clock();
    const next = new Date(now.getTime() + mirror.everyMinutes * MINUTE_MS);
    isDone = await finishSync(db, repo, holder, { synced: result.synced, began: startedAt, now, next });
    changed += result.changed;
    if (!isDone) repo = await findRepoDoc(db, repo_id);
  }
  if (!isDone) await releaseSync(db, claimed, holder);
  const resource = { type: "repo", id: repo_id };
  db.emit("codehost_sync", { repo: repo_id, count: changed, resource });
  db.emit("business_metric", { metric: "codehost_sync", value: changed, resource });
  if (changed > 0) await requeue?.("repo_analysis", "scheduled", { repo_id });
  return { outcome: "synced", changed };
}
