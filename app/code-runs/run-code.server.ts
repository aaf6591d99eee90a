import type { Db } from "#db/client.ts";
import type { Added, CodeRuns } from "#db/code-runs/code-runs.server.ts";
import {
  cancelRun,
  createRun,
  failRun,
  findRun,
  type JobRun,
  removePendingRun,
} from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { type CodeRunOrder, type CodeRunResult, codeRunResult } from "#domain/code-runs/code-run.ts";
import type { OutputChunk } from "#domain/code-runs/run-output.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
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

/** What happens to a run, in this order; the last is its result, or why there is none. */
export type RunEvent =
  | { event: "queued"; run_id: string; ahead: number }
  | { event: "started"; run_id: string }
  | ({ event: "output" } & OutputChunk)
  | {
      event: "result";
      result: CodeRunResult /** By a worker, which closes the run's record itself. */;
      isReported: boolean;
    }
  | { event: "refused"; refusal: Refusal };
/** Ending it early stops the run. */
export type RunEvents = AsyncGenerator<RunEvent, void, void>;

const LOOK_EVERY_MS = SECOND_MS;
// What a worker needs beyond the program's own time, to start and to report.
const GRACE_MS = 6 * SECOND_MS;
// How long a worker has to report that it stopped a program.
const STOP_GRACE_MS = 2 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

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
  const waiting = createWaiting(request.signal);
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
  if (added === "queue_full") return Refusal("queue_unavailable", { retry_after: RETRY_AFTER_SECONDS });
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

type RunWatch = ReturnType<typeof createWaiting>;
type FollowedRun = RunRequest & { id: string; run: JobRun; watch: RunWatch; waitSeconds: number };

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

/** Looks at the run whenever something happened to it, and tells what is new. */
async function* readSteps(
  codeRuns: CodeRuns,
  { id, order, isLive, watch, waitSeconds, signal }: FollowedRun,
): RunEvents {
  const output = createDeliveredOutput();
  let deadlineMs = performance.now() + waitSeconds * SECOND_MS;
  let state: "queued" | "running" | "stopping" = "queued";
  let reportedAhead = -1;
  let started: number | null = null;
  // Without live output the first event is its start, so there is nothing to look at before.
  if (!isLive) await watch.wait(LOOK_EVERY_MS);
  for (;;) {
    const progress = await codeRuns.collect(id);
    if (progress?.state === "finished") return yield* endWith(progress.result, output, isLive);
    if (progress?.state === "stopped") return yield stoppedResult(order, output, started);
    // A database that restarted has forgotten the run.
    if (progress === null) return yield refuse("run_interrupted");
    if (signal.aborted) {
      // Whoever left before it started has cancelled it, unless a worker took it just now.
      if (progress.state === "queued" && !(await codeRuns.withdraw(id)))
        return yield refuse("run_interrupted");
      // Whoever left finds what the program had written until then.
      if (isLive) yield* output.take(await codeRuns.listOutput(id, output.number()));
      return yield stoppedResult(order, output, started);
    }
    if (progress.state === "queued" && progress.ahead !== reportedAhead) {
      reportedAhead = progress.ahead;
      yield { event: "queued", run_id: id, ahead: reportedAhead };
    }
    if (progress.state === "running" && state === "queued") {
      state = "running";
      started = performance.now();
      deadlineMs = performance.now() + order.timeout * SECOND_MS + GRACE_MS;
      yield { event: "started", run_id: id };
    }
    if (progress.state === "running" && progress.isStopping && state === "running") {
      state = "stopping";
      deadlineMs = performance.now() + STOP_GRACE_MS;
    }
    if (isLive && state !== "queued") yield* output.take(await codeRuns.listOutput(id, output.number()));
    if (performance.now() > deadlineMs) return yield* endLate(state, order, output, started);
    await watch.wait(Math.min(LOOK_EVERY_MS, Math.max(0, deadlineMs - performance.now()) + 1));
  }
}

const refuse = (...reason: Parameters<typeof Refusal>): RunEvent => ({
  event: "refused",
  refusal: Refusal(...reason),
});

type DeliveredOutput = ReturnType<typeof createDeliveredOutput>;

/** Keeps the output that was delivered. It is always the beginning of the output in the result. */
function createDeliveredOutput() {
  const delivered = { stdout: "", stderr: "" };
  let number = 0;
  const tell = (chunk: OutputChunk): RunEvent => {
    delivered[chunk.stream] += chunk.text;
    return { event: "output", ...chunk };
  };
  return {
    delivered,
    number: () => number,
    *take(parts: { number: number; chunks: OutputChunk[] }[]) {
      for (const part of parts) {
        number = part.number;
        for (const chunk of part.chunks) yield tell(chunk);
      }
    },
    *takeRest(result: CodeRunResult) {
      for (const stream of ["stdout", "stderr"] as const) {
        const text = result[stream].slice(delivered[stream].length);
        if (text !== "") yield tell({ stream, text });
      }
    },
  };
}

type Steps = Generator<RunEvent, void, void>;

function* endWith(result: CodeRunResult | Refusal, output: DeliveredOutput, isLive: boolean): Steps {
  if (isRefusal(result)) return yield { event: "refused", refusal: result };
  if (isLive) yield* output.takeRest(result);
  yield { event: "result", result, isReported: true };
}

/** A worker that does not report a stop is gone, or does not hear: what came until then is the result. */
function* endLate(
  state: "queued" | "running" | "stopping",
  order: CodeRunOrder,
  output: DeliveredOutput,
  started: number | null,
): Steps {
  if (state === "queued") return yield refuse("queue_unavailable", { retry_after: RETRY_AFTER_SECONDS });
  if (state === "running") return yield refuse("run_interrupted");
  yield stoppedResult(order, output, started);
}

/** `started` is null where the program was not seen running. */
function stoppedResult(
  order: CodeRunOrder,
  { delivered }: DeliveredOutput,
  started: number | null,
): RunEvent {
  const ms = started === null ? 0 : Math.round(performance.now() - started);
  const output = { ...delivered, truncated: false, ms, grownBytes: null };
  return { event: "result", result: codeRunResult(order, "stopped", output), isReported: false };
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

/** A call of `wake` between two waits ends the next one at once. */
function createWaiting(signal: AbortSignal) {
  let isWoken = signal.aborted;
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
