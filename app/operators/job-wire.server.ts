import { z } from "zod";
import { count, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { isRetriable } from "#db/jobs/job-retry.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import type { JobRun } from "#db/jobs/job-runs.server.ts";
import { listDisabledJobs, listPausedJobs } from "#db/jobs/job-settings.server.ts";
import { RUN_STATUSES, RUN_TRIGGERS } from "#domain/jobs/job-run.ts";
import { isDueJob, JOB_IDS, JOBS } from "#domain/jobs/jobs.ts";
import { toTimestampOrNull, writeTimestamps } from "#domain/time/timestamp.ts";

/** The schedule of a job that workers start as soon as there is something to do. */
const WHEN_DUE = "when_due";

export const runShape = z
  .object({
    run_id: opaqueId,
    job_id: z.enum(JOB_IDS),
    status: z.enum(RUN_STATUSES),
    trigger: z.enum(RUN_TRIGGERS),
    created_at: timestamp.nullable(),
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    heartbeat_at: timestamp.nullable(),
    worker_id: z.string().nullable(),
    progress: z.number(),
    total_items: count.nullable(),
    processed_items: count,
    error_message: z.string().nullable(),
    failure_reason: z.string().nullable(),
    logs: z.array(z.object({ at: timestamp.nullable(), line: z.string() })),
    result: z.record(z.string(), z.unknown()).nullable(),
    stuck_reported_at: timestamp.nullable(),
    cancel_requested_at: timestamp.nullable(),
    error_stack: z.string().nullable(),
    /** Null for runs of earlier versions. */
    payload: z.record(z.string(), z.unknown()).nullable(),
    queued_at: timestamp.nullable(),
    attempt: count,
    retry_of: opaqueId.nullable(),
    retried_by: opaqueId.nullable(),
    /** When an administrator dismissed this failed run. */
    dismissed_at: timestamp.nullable(),
    can_retry: z.boolean(),
  })
  .meta({ id: "JobRun" });

export const jobShape = z.object({
  job_id: z.enum(JOB_IDS),
  name: z.string(),
  enabled: z.boolean(),
  /** While paused, requested runs wait until an administrator resumes the job. */
  paused: z.boolean(),
  schedule: z.string().nullable(),
  last_run: runShape.nullable(),
  next_run_at: timestamp.nullable(),
});

export function toWireRun(run: JobRun) {
  return {
    ...writeTimestamps(run),
    cancel_requested_at: toTimestampOrNull(run.cancel_requested_at),
    error_stack: run.error_stack ?? null,
    payload: run.payload ?? null,
    queued_at: toTimestampOrNull(run.queued_at ?? run.created_at),
    attempt: run.attempt ?? 1,
    retry_of: run.retry_of ?? null,
    retried_by: run.retried_by ?? null,
    dismissed_at: toTimestampOrNull(run.dismissed_at),
    can_retry: isRetriable(run) && run.retried_by === undefined,
    logs: run.logs.map(writeTimestamps),
  };
}

/**
 * All jobs with what an administrator wants to know first. The last run of each is one step along an index, so all are read in parallel; a
 * single query would read every run of a month.
 */
export async function listWireJobs(
  { db, queue }: WebServices,
  nameJob: (jobId: (typeof JOB_IDS)[number]) => string,
) {
  const [disabledJobs, pausedJobs] = await Promise.all([listDisabledJobs(db), listPausedJobs(db)]);
  return Promise.all(
    JOB_IDS.map(async (job_id) => {
      const [last] = await listRuns(db, { job_id, limit: 1 });
      const isEnabled = !disabledJobs.has(job_id);
      return {
        job_id,
        name: nameJob(job_id),
        enabled: isEnabled,
        paused: pausedJobs.has(job_id),
        schedule: isDueJob(job_id) ? WHEN_DUE : JOBS[job_id].cron,
        last_run: last ? toWireRun(last) : null,
        next_run_at: toTimestampOrNull(isEnabled ? queue.nextRunAt(job_id) : null),
      };
    }),
  );
}
