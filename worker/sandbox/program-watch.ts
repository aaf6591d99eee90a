import type { ChildProcess } from "node:child_process";
import type { Ending } from "#domain/code-runs/code-run.ts";
import { parseWrittenFile, type WrittenFile } from "#domain/code-runs/run-files.ts";
import { toFields } from "#domain/typed-keys.ts";
import { readResidentMb } from "#worker/isolation/process-tree.ts";
import type { ProgramOrder } from "./program-order.ts";

type ProgramEnd = {
  ending: Ending;
  truncated: boolean;
  grownBytes: number | null;
  written: WrittenFile[];
  /** The process reports that it must not run another program. */
  isLast: boolean;
};
/** Receives the program's output as it arrives: 0 is standard output, 1 standard error. */
export type OutputListener = (output: 0 | 1, bytes: Buffer) => void;

/** Watches a running program. Its end is the first of: its own report, the deadline, the memory limit, its death, an abort. */
type ProgramWatch = {
  ended: Promise<ProgramEnd>;
  /** Takes an untrusted message of the child. */
  receive(message: Record<string, unknown>): void;
  /** Ends the watch if the child sends garbage or is gone. */
  fail(): void;
};

const MB = 1024 * 1024;
// Added to the program's own time, because the child reports the end a moment later.
const DEADLINE_SLACK_MS = 1_000;
const WATCH_EVERY_MS = 100;
// The memory of an idle child, plus its files and the interpreter's own bookkeeping.
const RESIDENT_BASE_MB = 400;
// The runner's exit code for an uncaught MemoryError. As a byte it is 1, like for every other exception.
const OUT_OF_MEMORY_EXIT = 0x1001;

export function watchProgram(
  child: ChildProcess,
  order: ProgramOrder,
  onOutput: OutputListener,
  signal?: AbortSignal,
): ProgramWatch {
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  const written: WrittenFile[] = [];
  const end = (ending: Ending, truncated = false, grownBytes: number | null = null, isLast = false) =>
    resolve({ ending, truncated, grownBytes, written, isLast });
  const deadline = setTimeout(() => end("timed_out"), order.timeoutMs + DEADLINE_SLACK_MS);
  const watchdog = setInterval(() => {
    if (child.pid !== undefined && readResidentMb(child.pid) > RESIDENT_BASE_MB + order.memoryMb)
      end("out_of_memory");
  }, WATCH_EVERY_MS);
  const fail = () => end("crashed");
  child.once("close", fail);
  signal?.addEventListener("abort", fail);
  const handleMessage = (message: Record<string, unknown>) => {
    const { output, base64, end: reportedEnd, truncated, isLast } = message;
    const file = parseWrittenFile(message, written);
    if (file) written.push(file);
    if ((output === 0 || output === 1) && typeof base64 === "string")
      onOutput(output, Buffer.from(base64, "base64"));
    if (reportedEnd !== undefined)
      end(
        parseEnding(reportedEnd),
        truncated === true,
        parseGrowth(reportedEnd, order.memoryMb * MB),
        isLast === true,
      );
  };
  const ended = promise.finally(() => {
    clearTimeout(deadline);
    clearInterval(watchdog);
    child.off("close", fail);
    signal?.removeEventListener("abort", fail);
  });
  return { ended, receive: handleMessage, fail };
}

/** Parses the child's report; an invalid report counts as a crash. */
function parseEnding(report: unknown): Ending {
  const { exit, timedOut, refusedGrowth } = toFields(report);
  if (timedOut === true) return "timed_out";
  // A program can raise that error or exit with that code while it has enough memory.
  if (exit === OUT_OF_MEMORY_EXIT && refusedGrowth === true) return "out_of_memory";
  if (typeof exit === "number" && Number.isInteger(exit)) return { exit: exit & 0xff };
  return refusedGrowth === true ? "out_of_memory" : "crashed";
}

/** Parses the reported memory, limited to what the program could have had. */
function parseGrowth(report: unknown, maxBytes: number): number | null {
  const { grownBytes } = toFields(report);
  return typeof grownBytes === "number" && grownBytes >= 0 ? Math.min(grownBytes, maxBytes) : null;
}
