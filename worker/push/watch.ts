import { listDisabledJobs } from "#db/jobs/job-settings.server.ts";
import { listOwedEvents } from "#db/push/push-events.server.ts";
import { findNextPush } from "#db/reminders/reminder-pushes.server.ts";
import { DUE_JOBS, type DueJob } from "#domain/jobs/jobs.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { pause } from "#platform/pause.ts";
import type { WorkerServices } from "#worker/job.ts";
import { runJob } from "#worker/run-job.ts";

/**
 * Starts the jobs that run when something is due. The queue's clock has a step of a minute, and a reminder may be five
 * seconds late at most, so each worker asks the store itself every second: one look at one index for each kind. Workers do not
 * agree on who is first; whoever claims a thing sends it. It needs no queue: reminders go out while PostgreSQL is down.
 */
/** The next thing of a kind, with a key that tells it from the one after it, and in how long it is due; zero or less where it is due now. */
type First = { inMs: number; name: string };
const NOTHING: First = { inMs: Number.POSITIVE_INFINITY, name: "" };

const FIRST_OF: Record<DueJob, (services: WorkerServices) => Promise<First>> = {
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
    const [next] = await listOwedEvents(db, clock(), 1);
    return next ? { inMs: 0, name: `${next.id} ${next.attempts}` } : NOTHING;
  },
};

const LOOK_EVERY_MS = SECOND_MS;
// What comes first before and after a run cannot be sent, so each further run follows later. All else came meanwhile.
const RUN_AGAIN_MS = 100;
const RUN_AGAIN_MAX_MS = 5 * SECOND_MS;

/** Resolves when every watch has ended, which they do once the signal is aborted and their work in hand is done. */
export async function watchForDue(services: WorkerServices, signal: AbortSignal): Promise<void> {
  if (!services.push.send) return services.log.warn("push_not_configured");
  await Promise.all(DUE_JOBS.map((jobId) => watch(services, jobId, signal)));
}

async function watch(services: WorkerServices, jobId: DueJob, signal: AbortSignal): Promise<void> {
  let inVain = 0;
  let last = "";
  while (!signal.aborted) {
    try {
      const { inMs, name } = await FIRST_OF[jobId](services);
      const isRun = inMs <= 0 && !(await listDisabledJobs(services.db)).has(jobId);
      inVain = isRun && name === last ? inVain + 1 : 0;
      last = isRun ? name : "";
      if (isRun) await runJob(services, jobId, { trigger: "scheduled", payload: {} }, signal);
      const soonMs = isRun ? Math.min(RUN_AGAIN_MS * 2 ** inVain, RUN_AGAIN_MAX_MS) : LOOK_EVERY_MS;
      await pause(inMs > 0 ? Math.min(inMs, LOOK_EVERY_MS) : soonMs, signal);
    } catch (error) {
      services.log.warn("push_watch_failed", { job_id: jobId, error });
      await pause(RUN_AGAIN_MAX_MS, signal);
    }
  }
}
