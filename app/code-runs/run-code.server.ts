import type { Db } from "#db/client.ts";
import { createRun, failRun, findRun, type JobRun, removePendingRun } from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { CodeRunOrder, CodeRunResult } from "#domain/code-runs/code-run.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import { newRunId } from "#platform/ids.ts";

/**
 * A program is queued, a worker runs it, and whoever asked waits for the result. A notification brings it at once; asking
 * every second is the fallback. The row is always removed: a result that nobody waits for is not stored.
 */
type CodeRunServices = { db: Db; queue: Queue; clock: Clock };
type CodeRunLimits = { perMinute: number; perUser: number; queued: number; waitSeconds: number };

const LOOK_EVERY_MS = SECOND_MS;
// What a worker needs beyond the program's own time, to start and to report.
const GRACE_MS = 6 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

export async function runCode(
  services: CodeRunServices,
  userId: string,
  order: CodeRunOrder,
  limits: CodeRunLimits,
  signal: AbortSignal,
): Promise<CodeRunResult | Refusal> {
  const { codeRuns } = services.queue;
  const retry_after = await codeRuns.countAgainst(userId, limits.perMinute);
  if (retry_after !== null) return Refusal("rate_limit_exceeded", { retry_after });
  const id = newRunId();
  const added = await codeRuns.add(id, userId, order, limits);
  if (added === "user_has_too_many") return Refusal("rate_limit_exceeded", { retry_after: 1 });
  if (added === "queue_full") return Refusal("queue_unavailable", { retry_after: RETRY_AFTER_SECONDS });
  let run: JobRun | null = null;
  try {
    run = await send(services, id, added.ahead);
    const answer = await waitFor(services, id, order, limits, signal);
    if (isRefusal(answer)) await settle(services, run);
    return answer;
  } finally {
    await codeRuns.withdraw(id);
  }
}

/** The more runs a person has waiting, the later the next one starts, so that others' first runs come before it. */
async function send({ db, queue, clock }: CodeRunServices, id: string, ahead: number): Promise<JobRun> {
  const run = await createRun(db, "code_run", "manual", clock());
  try {
    const payload = { code_run_id: id };
    await queue.send("code_run", { trigger: "manual", run_id: run.run_id, payload }, -ahead);
  } catch (error) {
    await removePendingRun(db, run.run_id);
    throw error;
  }
  return run;
}

async function waitFor(
  { queue: { codeRuns } }: CodeRunServices,
  id: string,
  order: CodeRunOrder,
  { waitSeconds }: CodeRunLimits,
  signal: AbortSignal,
): Promise<CodeRunResult | Refusal> {
  const waiting = createWaiting(signal);
  const stopWatching = await codeRuns.watch(id, waiting.wake);
  let deadlineMs = performance.now() + waitSeconds * SECOND_MS;
  let running = false;
  try {
    for (;;) {
      const progress = await codeRuns.collect(id);
      if (progress?.state === "finished") return progress.result;
      if (progress?.state === "running" && !running) {
        running = true;
        deadlineMs = performance.now() + order.timeout * SECOND_MS + GRACE_MS;
      }
      // A database that restarted has forgotten the run.
      if (progress === null || signal.aborted) return Refusal("run_interrupted");
      if (performance.now() > deadlineMs)
        return running
          ? Refusal("run_interrupted")
          : Refusal("queue_unavailable", { retry_after: RETRY_AFTER_SECONDS });
      await waiting.wait(Math.min(LOOK_EVERY_MS, Math.max(0, deadlineMs - performance.now()) + 1));
    }
  } finally {
    stopWatching();
    waiting.close();
  }
}

/** Closes the record of a run without a result, whatever happened to its worker. */
async function settle({ db, clock }: CodeRunServices, { run_id }: JobRun): Promise<void> {
  await removePendingRun(db, run_id);
  const run = await findRun(db, run_id);
  if (run?.status === "running") await failRun(db, run, "No result came back", clock());
}

/** A call of `wake` between two waits ends the next one at once. */
function createWaiting(signal: AbortSignal) {
  let isWoken = false;
  let endWait = () => {};
  const wake = () => {
    isWoken = true;
    endWait();
  };
  signal.addEventListener("abort", wake);
  return {
    wake,
    close: () => signal.removeEventListener("abort", wake),
    wait: async (ms: number) => {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        endWait = resolve;
        timer = setTimeout(resolve, ms);
        if (isWoken) resolve();
      });
      clearTimeout(timer);
      isWoken = false;
    },
  };
}
