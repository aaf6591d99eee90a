/** Runs jobs as the clock starts them, without the queue; their reports and logs are dropped unless `more` says otherwise. */
import type { JobId, JobPayload } from "#domain/jobs/jobs.ts";
import type { JobHandler, Work, WorkerServices } from "#worker/job.ts";

export const doJob = <Id extends JobId>(
  handler: JobHandler<Id>,
  services: WorkerServices,
  more: Partial<Omit<Work<Id>, "services">> = {},
): ReturnType<JobHandler<Id>> =>
  handler({
    services,
    payload: {} as JobPayload<Id>,
    signal: new AbortController().signal,
    report: async () => {},
    trigger: "scheduled",
    writeLog: () => {},
    ...more,
  });
