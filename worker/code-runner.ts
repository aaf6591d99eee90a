import { isAccountLocked } from "#db/accounts/account-state.server.ts";
import type { Db } from "#db/client.ts";
import type { CodeRuns } from "#db/code-runs/code-runs.server.ts";
import { type CodeRunOrder, type CodeRunResult, codeRunResult } from "#domain/code-runs/code-run.ts";
import { joinChunks, type OutputChunk } from "#domain/code-runs/run-output.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { readError } from "#platform/read-error.ts";
import { type Sandbox, SandboxUnavailable } from "#worker/sandbox/pool.ts";
import type { OutputListener } from "#worker/sandbox/program-watch.ts";

/** The stored result of a run: how the program ended, never its code or output. */
type CodeRunRecord = { outcome: "withdrawn" | "refused" | "ran"; exit_code?: number; ms?: number };
export type CodeRunner = (codeRunId: string, signal: AbortSignal) => Promise<CodeRunRecord>;

const RETRY_AFTER_SECONDS = 5;

type CodeRunnerOptions = { db: Db; codeRuns: CodeRuns; sandbox: Sandbox; log: Log };

/**
 * Takes a program from the queue, runs it in the sandbox and stores its result. A program is claimed only when a process is
 * ready, and refused if its owner's account has been locked since.
 */
export async function createCodeRunner({
  db,
  codeRuns,
  sandbox,
  log,
}: CodeRunnerOptions): Promise<CodeRunner> {
  const running = new Map<string, { withdrawn: AbortController; stopped: AbortController }>();
  await codeRuns.onWithdrawn((id) => running.get(id)?.withdrawn.abort());
  await codeRuns.onStopped((id) => running.get(id)?.stopped.abort());

  async function runClaimed(
    id: string,
    signal: AbortSignal,
    stopped: AbortSignal,
  ): Promise<CodeRunResult | Refusal | "withdrawn"> {
    const ownerId = await codeRuns.take(id);
    if (ownerId === null) return "withdrawn";
    const child = await sandbox.take(ownerId);
    try {
      const [claimed, isLocked] = await Promise.all([codeRuns.claim(id), isAccountLocked(db, ownerId)]);
      if (!claimed || signal.aborted) return "withdrawn";
      const { order, isLive } = claimed;
      if (isLocked) return Refusal("account_locked");
      const onOutput = isLive ? createLiveOutput(codeRuns, id, log) : undefined;
      const { ending, output } = await child.runProgram(
        toProgram(order),
        AbortSignal.any([signal, stopped]),
        onOutput,
      );
      if (signal.aborted) return "withdrawn";
      return codeRunResult(order, stopped.aborted && ending === "crashed" ? "stopped" : ending, output);
    } finally {
      sandbox.giveBack(child, ownerId);
    }
  }

  return async (id, shutdown) => {
    const withdrawn = new AbortController();
    const stopped = new AbortController();
    running.set(id, { withdrawn, stopped });
    try {
      const result = await runClaimed(id, AbortSignal.any([withdrawn.signal, shutdown]), stopped.signal);
      if (shutdown.aborted) await codeRuns.finish(id, Refusal("run_interrupted"));
      if (result === "withdrawn") return { outcome: "withdrawn" };
      await codeRuns.finish(id, result);
      if (isRefusal(result)) return { outcome: "refused" };
      return { outcome: "ran", exit_code: result.exit_code, ms: result.execution_time_ms };
    } catch (error) {
      const isUnavailable = error instanceof SandboxUnavailable;
      const { message } = readError(error);
      const refusal = isUnavailable
        ? Refusal("execution_disabled", { message })
        : Refusal("queue_unavailable", { retry_after: RETRY_AFTER_SECONDS });
      await codeRuns.finish(id, refusal);
      if (!isUnavailable) throw error;
      log.error("sandbox_unavailable", { reason: message });
      return { outcome: "refused" };
    } finally {
      running.delete(id);
    }
  };
}

function toProgram({ timeout, memory_limit_mb, files_left_out: _, ...program }: CodeRunOrder) {
  return { ...program, timeoutMs: timeout * SECOND_MS, memoryMb: memory_limit_mb };
}

const STREAMS = ["stdout", "stderr"] as const;

/**
 * Delivers a program's output while it runs. One part is written at a time and later output joins the next part, so endless output causes
 * no more writes than the database can take. A failed write ends the delivery: the result contains the complete output.
 */
function createLiveOutput(codeRuns: CodeRuns, id: string, log: Log): OutputListener {
  const decoders = STREAMS.map(() => new TextDecoder());
  let waiting: OutputChunk[] = [];
  let isWriting = false;
  let number = 0;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const chunks = joinChunks(waiting);
      waiting = [];
      number += 1;
      await codeRuns.appendOutput(id, { number, chunks });
    }
    isWriting = false;
  }

  return (output, bytes) => {
    const text = decoders[output]?.decode(bytes, { stream: true });
    if (!text) return;
    waiting.push({ stream: STREAMS[output], text });
    if (!isWriting) write().catch((error) => log.warn("live_output_failed", { error }));
  };
}
