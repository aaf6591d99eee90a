import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { createRun, findRun, type JobRun, removePendingRun } from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { isAwaited, takesPayload } from "#domain/jobs/jobs.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * Runs a failed run again with its own payload, once. The id of the new run is derived from the failed one, so the second of two
 * simultaneous requests is refused. If a process stops before the new run is queued, the run waits, and the next request queues it.
 */
export async function retryRun(db: Db, queue: Queue, runId: string, now: Date): Promise<JobRun | Refusal> {
  const failed = await findRun(db, runId);
  if (!failed) return Refusal("run_not_found", { run_id: runId });
  if (!isRetriable(failed)) return Refusal("run_not_retriable", { run_id: runId });
  const retried_by = deriveRetryId(runId);
  const payload = failed.payload ?? {};
  const origin = { payload, retryOf: failed, run_id: retried_by };
  const created = await skipDuplicate(createRun(db, failed.job_id, "manual", now, origin));
  const run = created ?? (await findRun(db, retried_by));
  if (run?.status === "pending") await sendRun(db, queue, run, created !== null);
  await db.job_runs.updateOne({ _id: runId }, { $set: { retried_by } });
  return created ?? Refusal("run_already_retried", { run_id: retried_by });
}

/** Retries all runs that can be retried. If there are none, returns the first refusal. */
export async function retryRuns(
  db: Db,
  queue: Queue,
  runIds: readonly string[],
  now: Date,
): Promise<JobRun[] | Refusal> {
  const answers = [];
  for (const runId of runIds) answers.push(await retryRun(db, queue, runId, now));
  const retried = answers.filter((answer): answer is JobRun => !isRefusal(answer));
  return retried.length > 0 ? retried : (answers.find(isRefusal) ?? []);
}

const ATTEMPTS_SHOWN = 20;

/** Lists the runs of the same work, each a retry of the one before it, first attempt first. */
export async function listAttempts(db: Db, run: JobRun): Promise<JobRun[]> {
  const attempts = [run];
  for (let id = run.retry_of; id && attempts.length < ATTEMPTS_SHOWN; id = attempts[0]?.retry_of) {
    const previous = await findRun(db, id);
    if (!previous) break;
    attempts.unshift(previous);
  }
  for (let id = run.retried_by; id && attempts.length < ATTEMPTS_SHOWN; id = attempts.at(-1)?.retried_by) {
    const next = await findRun(db, id);
    if (!next) break;
    attempts.push(next);
  }
  return attempts;
}

/** True if running it again would do the intended work: it failed, nobody waited for it, and its payload is known. */
export function isRetriable({ status, job_id, payload }: JobRun): boolean {
  return status === "failed" && !isAwaited(job_id) && (payload !== undefined || !takesPayload(job_id));
}

const deriveRetryId = (runId: string) =>
  createHash("sha256").update(`retry ${runId}`).digest("hex").slice(0, 24);

/** If the queue does not take a new run, its record is deleted, so that it can be requested again. */
async function sendRun(db: Db, queue: Queue, run: JobRun, isNew: boolean): Promise<void> {
  try {
    await queue.send(run.job_id, { trigger: run.trigger, run_id: run.run_id, payload: run.payload ?? {} });
  } catch (error) {
    if (isNew) await removePendingRun(db, run.run_id);
    throw error;
  }
}
