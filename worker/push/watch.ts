import { listDisabledJobs } from "#db/job-settings.server.ts";
import { hasOwedEvents } from "#db/push-events.server.ts";
import { findNextPushAt } from "#db/reminder-pushes.server.ts";
import { DUE_JOBS, type DueJob } from "#domain/jobs.ts";
import { SECOND_MS } from "#platform/clock.ts";
import type { Bench } from "#worker/handlers.ts";
import { runJob } from "#worker/run-job.ts";

/**
 * Starts the jobs that run when something is due. The queue's clock has a step of a minute, and a reminder may be five
 * seconds late at most, so each worker asks the store itself every second: one look at one index for each kind. Workers do not
 * agree on who is first; whoever claims a thing sends it. It needs no queue: reminders go out while PostgreSQL is down.
 */
/** How long until something of each kind is due; zero or less where it is. */
const DUE_IN_MS: Record<DueJob, (bench: Bench) => Promise<number>> = {
  reminder_push: async ({ db, clock }) => {
    const next = await findNextPushAt(db);
    return next ? next.getTime() - clock().getTime() : Number.POSITIVE_INFINITY;
  },
  push_events: async ({ db, clock }) => ((await hasOwedEvents(db, clock())) ? 0 : Number.POSITIVE_INFINITY),
};

const LOOK_EVERY_MS = SECOND_MS;
// What is still due after a run came meanwhile, or cannot be sent; so the next run follows soon, and each further one later.
const RUN_AGAIN_MS = 100;
const RUN_AGAIN_MAX_MS = 5 * SECOND_MS;

/** Resolves when every watch has ended, which they do once the signal is aborted and their work in hand is done. */
export async function watchForDue(bench: Bench, signal: AbortSignal): Promise<void> {
  if (!bench.push.send) return bench.log.warn("push_not_configured");
  await Promise.all(DUE_JOBS.map((jobId) => watch(bench, jobId, signal)));
}

async function watch(bench: Bench, jobId: DueJob, signal: AbortSignal): Promise<void> {
  let inARow = 0;
  while (!signal.aborted) {
    try {
      const dueInMs = await DUE_IN_MS[jobId](bench);
      const isRun = dueInMs <= 0 && !(await listDisabledJobs(bench.db)).has(jobId);
      if (isRun) await runJob(bench, jobId, { trigger: "scheduled", payload: {} }, signal);
      inARow = isRun ? inARow + 1 : 0;
      const soonMs = isRun ? Math.min(RUN_AGAIN_MS * 2 ** inARow, RUN_AGAIN_MAX_MS) : LOOK_EVERY_MS;
      await pause(dueInMs > 0 ? Math.min(dueInMs, LOOK_EVERY_MS) : soonMs, signal);
    } catch (error) {
      bench.log.warn("push_watch_failed", { job_id: jobId, error });
      await pause(RUN_AGAIN_MAX_MS, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
