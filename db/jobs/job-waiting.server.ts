import type { Db } from "#db/client.ts";
import { type JobRun, toRun } from "#db/jobs/job-runs.server.ts";
import { setJobPaused } from "#db/jobs/job-settings.server.ts";
import type { JobEnvelope } from "#db/jobs/queue.server.ts";
import { getJobSpec, JOB_IDS, type JobId } from "#domain/jobs/jobs.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** Runs wait as records; the queue only notifies workers of them. A second message is harmless, because only one worker can claim the record. */
type Send = (jobId: JobId, envelope: JobEnvelope) => Promise<void>;

const LOST_AFTER_MS = 10 * MINUTE_MS;
const BATCH_SIZE = 500;

/** Lets a job start runs again, and notifies workers of those that waited. */
export async function resumeJob(db: Db, send: Send, jobId: JobId, now: Date): Promise<void> {
  await setJobPaused(db, jobId, false);
  for (const run of await listWaitingRuns(db, [jobId], now)) await resendRun(db, send, run, now);
}

/** Notifies workers again of runs that have waited for long, because a process may have stopped between recording and queueing. */
export async function sendLostRuns(
  db: Db,
  send: Send,
  paused: ReadonlySet<string>,
  now: Date,
): Promise<number> {
  const jobs = JOB_IDS.filter((jobId) => !paused.has(jobId) && !getJobSpec(jobId).onceOnly);
  const lost = await listWaitingRuns(db, jobs, new Date(now.getTime() - LOST_AFTER_MS));
  for (const run of lost) await resendRun(db, send, run, now);
  return lost.length;
}

async function listWaitingRuns(db: Db, jobs: readonly JobId[], queuedBefore: Date): Promise<JobRun[]> {
  const docs = await db.job_runs
    .find(
      { status: "pending", job_id: { $in: [...jobs] }, queued_at: { $lte: queuedBefore } },
      { hint: "in_status" },
    )
    .sort({ created_at: -1, _id: -1 })
    .limit(BATCH_SIZE)
    .toArray();
  return docs.map(toRun).reverse();
}

async function resendRun(db: Db, send: Send, { run_id, job_id, trigger, payload = {} }: JobRun, now: Date) {
  await send(job_id, { trigger, run_id, payload });
  await db.job_runs.updateOne({ _id: run_id, status: "pending" }, { $set: { queued_at: now } });
}
