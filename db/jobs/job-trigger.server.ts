import type { Db } from "#db/client.ts";
import { createRun, type JobRun, removePendingRun } from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { RunTrigger } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";

/** Records a run and queues it. If the queue does not take the run, its record is deleted. */
export async function triggerJob(
  db: Db,
  queue: Queue,
  jobId: JobId,
  trigger: RunTrigger,
  now: Date,
  payload: Record<string, unknown> = {},
  owner?: string,
): Promise<JobRun> {
  const run = await createRun(db, jobId, trigger, now, { payload });
  try {
    await queue.send(jobId, { trigger, run_id: run.run_id, owner, payload });
  } catch (error) {
    await removePendingRun(db, run.run_id);
    throw error;
  }
  return run;
}
