import type { Shelf } from "#app/http/visit.ts";
import { type JobRun, listRuns } from "#db/job-runs.server.ts";
import { listDisabledJobs } from "#db/job-settings.server.ts";
import { isDueJob, JOB_IDS, JOBS } from "#domain/jobs.ts";
import { toTimestampOrNull } from "#domain/timestamp.ts";

/** The schedule of a job that workers start themselves as soon as there is something to do. */
export const WHEN_DUE = "when_due";

export function runOnWire(run: JobRun) {
  return {
    ...run,
    created_at: toTimestampOrNull(run.created_at),
    started_at: toTimestampOrNull(run.started_at),
    ended_at: toTimestampOrNull(run.ended_at),
    heartbeat_at: toTimestampOrNull(run.heartbeat_at),
    stuck_reported_at: toTimestampOrNull(run.stuck_reported_at),
    logs: run.logs.map(({ at, line }) => ({ at: toTimestampOrNull(at), line })),
  };
}

/** Every job of the catalogue with what an administrator wants to know first. */
export async function jobsOnWire({ db, queue }: Shelf, nameOf: (jobId: (typeof JOB_IDS)[number]) => string) {
  const disabled = await listDisabledJobs(db);
  return Promise.all(
    JOB_IDS.map(async (job_id) => {
      const [last] = await listRuns(db, { job_id, limit: 1 });
      const enabled = !disabled.has(job_id);
      return {
        job_id,
        name: nameOf(job_id),
        enabled,
        schedule: isDueJob(job_id) ? WHEN_DUE : JOBS[job_id].cron,
        last_run: last ? runOnWire(last) : null,
        next_run_at: toTimestampOrNull(enabled ? queue.nextRunAt(job_id) : null),
      };
    }),
  );
}
