import {
  QUEUE_RETRY_SECONDS,
  type RunEvents,
  readSteps,
  type WatchedRun,
} from "#app/code-runs/run-steps.server.ts";
import { createRunWatch, type RunWatch } from "#app/code-runs/run-watch.ts";
import type { Db } from "#db/client.ts";
import type { Added } from "#db/code-runs/code-runs.server.ts";
import {
  cancelRun,
  createRun,
  failRun,
  findRun,
  type JobRun,
  removePendingRun,
} from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { CodeRunOrder, CodeRunResult } from "#domain/code-runs/code-run.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Clock } from "#platform/clock.ts";
import { newRunId } from "#platform/ids.ts";

/**
 * A program is queued, a worker runs it, and the request follows it to its end. A notification brings every step at once; asking
 * every second is the fallback. The row is always removed: a result that nobody waits for is not stored.
 */
type CodeRunServices = { db: Db; queue: Queue; clock: Clock };
type CodeRunLimits = { perMinute: number; perUser: number; queued: number; waitSeconds: number };
/** `isLive`: the output is sent while the program runs. */
type RunRequest = { userId: string; order: CodeRunOrder; isLive: boolean; signal: AbortSignal };

/** Queues a program. What comes back has to be read to its end, or ended. */
export async function startRun(
  services: CodeRunServices,
  request: RunRequest,
  limits: CodeRunLimits,
): Promise<RunEvents | Refusal> {
  const { codeRuns } = services.queue;
  const placed = await placeRun(services, request, limits);
  if (isRefusal(placed)) return placed;
  const { id, ahead, run } = placed;
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
    const payload = { code_run_id: id };
    // The more runs a person has waiting, the later the next one starts, so that others' first runs come before it.
    await services.queue.send("code_run", { trigger: "manual", run_id: run.run_id, payload }, -ahead);
    return followRun(services, { id, run, watch, waitSeconds: limits.waitSeconds, ...request });
  } catch (error) {
    watch.close();
    await removePendingRun(services.db, run.run_id);
    await codeRuns.withdraw(id);
    throw error;
  }
}

type PlacedRun = { id: string; ahead: number; run: JobRun };

/** Gives a program its place among those that wait, and its record. Both are made at once, because most programs are taken. */
async function placeRun(
  { db, queue, clock }: CodeRunServices,
  { userId, order, isLive }: RunRequest,
  limits: CodeRunLimits,
): Promise<PlacedRun | Refusal> {
  const id = newRunId();
  const [added, recorded] = await Promise.allSettled([
    queue.codeRuns.add({ id, userId, order, isLive }, limits),
    createRun(db, "code_run", "manual", clock(), { payload: { code_run_id: id } }),
  ]);
  const removeRecord = async () => {
    if (recorded.status === "fulfilled") await removePendingRun(db, recorded.value.run_id);
  };
  if (added.status === "rejected") {
    await removeRecord();
    throw added.reason;
  }
  const ahead = readPlace(added.value);
  if (isRefusal(ahead)) {
    await removeRecord();
    return ahead;
  }
  if (recorded.status === "rejected") {
    await queue.codeRuns.withdraw(id);
    throw recorded.reason;
  }
  return { id, ahead, run: recorded.value };
}

/** How many runs of the same person are ahead, or why there is no place. */
function readPlace(added: Added): number | Refusal {
  if (added === "user_has_too_many") return Refusal("rate_limit_exceeded", { retry_after: 1 });
  if (added === "queue_full") return Refusal("queue_unavailable", { retry_after: QUEUE_RETRY_SECONDS });
  if ("waitSeconds" in added) return Refusal("rate_limit_exceeded", { retry_after: added.waitSeconds });
  return added.ahead;
}

/** Queues a program and waits for its end. */
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

async function* followRun(services: CodeRunServices, followed: FollowedRun): RunEvents {
  const { codeRuns } = services.queue;
  // Whoever ends the events before their last one has gone away.
  let ending: RunEnding = "left";
  try {
    for await (const step of readSteps(codeRuns, followed)) {
      if (step.event === "result") ending = step.isReported ? "reported" : "left";
      if (step.event === "refused") ending = followed.signal.aborted ? "left" : "lost";
      yield step;
    }
  } finally {
    followed.watch.close();
    // A result that was collected is forgotten already.
    if (ending !== "reported") {
      await codeRuns.withdraw(followed.id);
      await settle(services, followed.run, ending);
    }
  }
}

/** The worker that took a run has said nothing more of it. */
class NoResultError extends Error {
  readonly failureReason = "no_result";
}

/** Closes the record of a run without a result: it failed where its worker was lost, and not where its person stopped it or left. */
async function settle(
  { db, clock }: CodeRunServices,
  { run_id }: JobRun,
  ending: "left" | "lost",
): Promise<void> {
  await removePendingRun(db, run_id);
  const run = await findRun(db, run_id);
  if (run?.status !== "running") return;
  if (ending === "left") await cancelRun(db, run, clock());
  else await failRun(db, run, new NoResultError("No result came back"), clock());
}
