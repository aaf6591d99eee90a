import { listDisabledJobs } from "#db/jobs/job-settings.server.ts";
import { listDueEvents } from "#db/reminders/push/push-events.server.ts";
import { findNextPush } from "#db/reminders/reminder-pushes.server.ts";
import { DUE_JOBS, type DueJob } from "#domain/jobs/jobs.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { pause } from "#platform/pause.ts";
import type { WorkerServices } from "#worker/job.ts";
import { runJob } from "#worker/run-job.ts";

/**
 * Starts jobs when something is due. The queue's clock has steps of a minute, but a reminder may be at most five seconds late,
 * so each worker reads the store every second: one index lookup per kind. Workers do not coordinate; the one that claims a
 * delivery sends it. Without the queue, reminders are sent even while PostgreSQL is down.
 */
/** The next delivery of a kind, with a key that distinguishes it from the one after it. `inMs` is zero or less if it is due now. */
type NextDue = { inMs: number; name: string };
const NOTHING: NextDue = { inMs: Number.POSITIVE_INFINITY, name: "" };

const FIND_NEXT: Record<DueJob, (services: WorkerServices) => Promise<NextDue>> = {
  reminder_push: async ({ db, clock }) => {
    const next = await findNextPush(db);
    return next
      ? {
          inMs: next.push_at.getTime() - clock().getTime(),
          name: `${next.note_id} ${next.push_at.getTime()}`,
        }
      : NOTHING;
  },
  push_events: async ({ db, clock }) => {
    const [next] = await listDueEvents(db, clock(), 1);
    return next ? { inMs: 0, name: `${next.id} ${next.attempts}` } : NOTHING;
  },
};

const LOOK_EVERY_MS = SECOND_MS;
// If the same delivery is first before and after a run, it cannot be sent, so further runs wait longer.
const RUN_AGAIN_MS = 100;
const RUN_AGAIN_MAX_MS = 5 * SECOND_MS;

/** Resolves when every watch has ended: after the signal was aborted and the running work is done. */
export async function watchForDuePushes(services: WorkerServices, signal: AbortSignal): Promise<void> {
  if (!services.push.send) return services.log.warn("push_not_configured");
  await Promise.all(DUE_JOBS.map((jobId) => watchJob(services, jobId, signal)));
}

async function watchJob(services: WorkerServices, jobId: DueJob, signal: AbortSignal): Promise<void> {
  let failedRuns = 0;
  let last = "";
  while (!signal.aborted) {
    try {
      const { inMs, name } = await FIND_NEXT[jobId](services);
      const isRun = inMs <= 0 && !(await listDisabledJobs(services.db)).has(jobId);
      failedRuns = isRun && name === last ? failedRuns + 1 : 0;
      last = isRun ? name : "";
      if (isRun) await runJob(services, jobId, { trigger: "scheduled", payload: {} }, signal);
      const soonMs = isRun ? Math.min(RUN_AGAIN_MS * 2 ** failedRuns, RUN_AGAIN_MAX_MS) : LOOK_EVERY_MS;
      await pause(inMs > 0 ? Math.min(inMs, LOOK_EVERY_MS) : soonMs, signal);
    } catch (error) {
      services.log.warn("push_watch_failed", { job_id: jobId, error });
      await pause(RUN_AGAIN_MAX_MS, signal);
    }
  }
}
