/** Jobs as the clock begins them, without the queue; what they report and log is heard by nobody unless more is given. */
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
