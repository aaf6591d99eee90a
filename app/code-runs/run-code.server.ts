import { QUEUE_RETRY_SECONDS, readSteps, type WatchedRun } from "#app/code-runs/run-steps.server.ts";
import { createRunWatch, type RunWatch } from "#app/code-runs/run-watch.ts";
import type { Db } from "#db/client.ts";
import type { Added } from "#db/code-runs/code-runs.server.ts";
import {
  closeCancelledRun,
  createRun,
  failRun,
  findRun,
  type JobRun,
  releaseRun,
  removePendingRun,
} from "#db/jobs/job-runs.server.ts";
import type { JobEnvelope, Queue } from "#db/jobs/queue.server.ts";
import type { CodeRunOrder, CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { RunEvents } from "#domain/code-runs/runs-under-way.ts";
import { FAILURE_MESSAGES } from "#domain/jobs/job-run.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Clock } from "#platform/clock.ts";
import { generateRunId } from "#platform/ids.ts";

/**
 * Queues a program, which a worker runs, and follows the run to its end. Notifications report every step; polling once a second
 * is the fallback. The queue's row is always removed, so a result that nobody waits for is not stored.
 */
type CodeRunServices = { db: Db; queue: Queue; clock: Clock };
type CodeRunLimits = { perMinute: number; perUser: number; queued: number; waitSeconds: number };
/** `isLive`: the output is sent while the program runs. */
type RunRequest = { userId: string; order: CodeRunOrder; isLive: boolean; signal: AbortSignal };

/** Queues a program. The caller must read the returned events to the end, or close them. */
export async function startRun(
  services: CodeRunServices,
  request: RunRequest,
  limits: CodeRunLimits,
): Promise<RunEvents | Refusal> {
  const { codeRuns } = services.queue;
  const queuedRun = await queueRun(services, request, limits);
  if (isRefusal(queuedRun)) return queuedRun;
  const { id, ahead, run } = queuedRun;
  const waiting = createRunWatch(request.signal);
  const stopWatching = await codeRuns.watch(id, waiting.wake);
  const watch: RunWatch = {
    ...waiting,
    close: () => {
      stopWatching();
      waiting.close();
    },
  };
  try {
    const envelope: JobEnvelope = { trigger: "manual", run_id: run.run_id, payload: { code_run_id: id } };
    // The more runs a person has waiting, the later the next one starts, so that others' first runs come before it.
    const send = () => services.queue.send("code_run", envelope, -ahead);
    const sendAgain = async () => {
      await releaseRun(services.db, run.run_id, services.clock());
      await send();
    };
    await send();
    return followRun(services, { id, run, watch, waitSeconds: limits.waitSeconds, sendAgain, ...request });
  } catch (error) {
    watch.close();
    await removePendingRun(services.db, run.run_id);
    await codeRuns.withdraw(id);
    throw error;
  }
}

type QueuedRun = { id: string; ahead: number; run: JobRun };

/** Adds a program to the queue and creates its record. Both happen at the same time, because the queue accepts most programs. */
async function queueRun(
  { db, queue, clock }: CodeRunServices,
  { userId, order, isLive }: RunRequest,
  limits: CodeRunLimits,
): Promise<QueuedRun | Refusal> {
  const id = generateRunId();
  const [addition, record] = await Promise.allSettled([
    queue.codeRuns.add({ id, userId, order, isLive }, limits),
    createRun(db, "code_run", "manual", clock(), { payload: { code_run_id: id } }),
  ]);
  const removeRecord = async () => {
    if (record.status === "fulfilled") await removePendingRun(db, record.value.run_id);
  };
  if (addition.status === "rejected") {
    await removeRecord();
    throw addition.reason;
  }
  const ahead = readQueuePosition(addition.value);
  if (isRefusal(ahead)) {
    await removeRecord();
    return ahead;
  }
  if (record.status === "rejected") {
    await queue.codeRuns.withdraw(id);
    throw record.reason;
  }
  return { id, ahead, run: record.value };
}

function readQueuePosition(addition: Added): number | Refusal {
  if (addition === "user_has_too_many") return Refusal("rate_limit_exceeded", { retry_after: 1 });
  if (addition === "queue_full") return Refusal("queue_unavailable", { retry_after: QUEUE_RETRY_SECONDS });
  if ("waitSeconds" in addition) return Refusal("rate_limit_exceeded", { retry_after: addition.waitSeconds });
  return addition.ahead;
}

export async function runCode(
  services: CodeRunServices,
  request: Omit<RunRequest, "isLive">,
  limits: CodeRunLimits,
): Promise<CodeRunResult | Refusal> {
  const events = await startRun(services, { ...request, isLive: false }, limits);
  if (isRefusal(events)) return events;
  for await (const step of events) {
    if (step.event === "result") return step.result;
    if (step.event === "refused") return step.refusal;
  }
  return Refusal("run_interrupted");
}

type FollowedRun = RunRequest & WatchedRun & { run: JobRun };

/** A worker reported the result, the person stopped the run or left, or the worker was lost. */
type RunEnding = "reported" | "left" | "lost";

async function* followRun(services: CodeRunServices, watchedRun: FollowedRun): RunEvents {
  const { codeRuns } = services.queue;
  // If the reader stops before the last event, the person has left.
  let ending: RunEnding = "left";
  try {
    for await (const step of readSteps(codeRuns, watchedRun)) {
      if (step.event === "result") ending = step.isReported ? "reported" : "left";
      if (step.event === "refused") ending = watchedRun.signal.aborted ? "left" : "lost";
      yield step;
    }
  } finally {
    watchedRun.watch.close();
    // Once a result is reported, the queue has already removed the run.
    if (ending !== "reported") {
      await codeRuns.withdraw(watchedRun.id);
      await closeRunRecord(services, watchedRun.run, ending);
    }
  }
}

/** The worker that took a run reported no result. */
class NoResultError extends Error {
  readonly failureReason = "no_result";
}

/** Closes the record of a run without a result: as failed if its worker was lost, as cancelled if the person stopped it or left. */
async function closeRunRecord(
  { db, clock }: CodeRunServices,
  { run_id }: JobRun,
  ending: "left" | "lost",
): Promise<void> {
  await removePendingRun(db, run_id);
  const run = await findRun(db, run_id);
  if (run?.status !== "running") return;
  if (ending === "left") await closeCancelledRun(db, run, clock());
  else await failRun(db, run, new NoResultError(FAILURE_MESSAGES.no_result), clock());
}
