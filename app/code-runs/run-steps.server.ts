import type { RunWatch } from "#app/code-runs/run-watch.ts";
import type { CodeRuns } from "#db/code-runs/code-runs.server.ts";
import { type CodeRunOrder, type CodeRunResult, codeRunResult } from "#domain/code-runs/code-run.ts";
import type { OutputChunk } from "#domain/code-runs/run-output.ts";
import type { RunEvent, RunEvents } from "#domain/code-runs/runs-under-way.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

const POLL_MS = SECOND_MS;
// The time a worker needs beyond the program's own, to start and to report.
const GRACE_MS = 6 * SECOND_MS;
// Longer than a worker's connection to the queue needs to come back.
const LOST_AFTER_MS = 3 * SECOND_MS;
// How long a worker has to report that it stopped a program.
const STOP_GRACE_MS = 2 * SECOND_MS;
export const QUEUE_RETRY_SECONDS = 5;

export type WatchedRun = {
  id: string;
  order: CodeRunOrder;
  isLive: boolean;
  watch: RunWatch;
  waitSeconds: number;
  signal: AbortSignal;
  /** Queues it again if the worker that took it was lost before it started. */
  sendAgain: () => Promise<void>;
};

/** Reads the run each time something happened to it, and yields what is new. */
export async function* readSteps(
  codeRuns: CodeRuns,
  { id, order, isLive, watch, waitSeconds, signal, sendAgain }: WatchedRun,
): RunEvents {
  const output = createDeliveredOutput();
  const isLostForLong = createLossWatch();
  let deadlineMs = performance.now() + waitSeconds * SECOND_MS;
  let isTaken = false;
  let state: "queued" | "running" | "stopping" = "queued";
  let reportedAhead = -1;
  let startedAtMs: number | null = null;
  // Without live output the first event is the start, so it can wait for that.
  if (!isLive) await watch.wait(POLL_MS);
  for (;;) {
    const progress = await codeRuns.collect(id);
    if (progress?.state === "finished") return yield* endWith(progress.result, output, isLive);
    if (progress?.state === "stopped") return yield stoppedResult(order, output, startedAtMs);
    // A database that restarted has lost the run.
    if (progress === null) return yield refuse("run_interrupted");
    if (signal.aborted) {
      // Leaving before the start cancels the run, unless a worker took it just now.
      if (progress.state === "queued" && !(await codeRuns.withdraw(id)))
        return yield refuse("run_interrupted");
      // A person who stops a run still gets the output that was written until then.
      if (isLive) yield* output.take(await codeRuns.listOutput(id, output.number()));
      return yield stoppedResult(order, output, startedAtMs);
    }
    if (progress.state === "queued" && progress.ahead !== reportedAhead) {
      reportedAhead = progress.ahead;
      yield { event: "queued", run_id: id, ahead: reportedAhead };
    }
    if (isLostForLong(progress.isLost)) {
      if (progress.state === "running") return yield refuse("run_interrupted");
      await sendAgain();
    }
    if (progress.state === "queued" && progress.isTaken && !isTaken) {
      isTaken = true;
      deadlineMs = performance.now() + waitSeconds * SECOND_MS;
    }
    if (progress.state === "running" && state === "queued") {
      state = "running";
      startedAtMs = performance.now();
      deadlineMs = performance.now() + order.timeout * SECOND_MS + GRACE_MS;
      yield { event: "started", run_id: id };
    }
    if (progress.state === "running" && progress.isStopping && state === "running") {
      state = "stopping";
      deadlineMs = performance.now() + STOP_GRACE_MS;
    }
    if (isLive && state !== "queued") yield* output.take(await codeRuns.listOutput(id, output.number()));
    if (performance.now() > deadlineMs) return yield* endWithoutReport(state, order, output, startedAtMs);
    await watch.wait(Math.min(POLL_MS, Math.max(0, deadlineMs - performance.now()) + 1));
  }
}

/** Checks at each poll whether the worker is gone; true once that has lasted a while. */
function createLossWatch() {
  let sinceMs: number | null = null;
  return (isLost: boolean): boolean => {
    sinceMs = isLost ? (sinceMs ?? performance.now()) : null;
    if (sinceMs === null || performance.now() - sinceMs < LOST_AFTER_MS) return false;
    sinceMs = null;
    return true;
  };
}

const refuse = (...reason: Parameters<typeof Refusal>): RunEvent => ({
  event: "refused",
  refusal: Refusal(...reason),
});

type DeliveredOutput = ReturnType<typeof createDeliveredOutput>;

/** Collects the delivered output. It is always the beginning of the output in the result. */
function createDeliveredOutput() {
  const delivered = { stdout: "", stderr: "" };
  let number = 0;
  const deliver = (chunk: OutputChunk): RunEvent => {
    delivered[chunk.stream] += chunk.text;
    return { event: "output", ...chunk };
  };
  return {
    delivered,
    number: () => number,
    *take(parts: { number: number; chunks: OutputChunk[] }[]) {
      for (const piece of parts) {
        number = piece.number;
        for (const chunk of piece.chunks) yield deliver(chunk);
      }
    },
    *takeRest(result: CodeRunResult) {
      for (const stream of ["stdout", "stderr"] as const) {
        const text = result[stream].slice(delivered[stream].length);
        if (text !== "") yield deliver({ stream, text });
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

/** A worker that does not report a stop is lost or unreachable: the output until then is the result. */
function* endWithoutReport(
  state: "queued" | "running" | "stopping",
  order: CodeRunOrder,
  output: DeliveredOutput,
  startedAtMs: number | null,
): Steps {
  if (state === "queued") return yield refuse("queue_unavailable", { retry_after: QUEUE_RETRY_SECONDS });
  if (state === "running") return yield refuse("run_interrupted");
  yield stoppedResult(order, output, startedAtMs);
}

/** `startedAtMs` is null if the program was never observed running. */
function stoppedResult(
  order: CodeRunOrder,
  { delivered }: DeliveredOutput,
  startedAtMs: number | null,
): RunEvent {
  const ms = startedAtMs === null ? 0 : Math.round(performance.now() - startedAtMs);
  const output = { ...delivered, truncated: false, ms, grownBytes: null };
  return { event: "result", result: codeRunResult(order, "stopped", output), isReported: false };
}
