import type { ChildProcess } from "node:child_process";
import type { Ending } from "#domain/code-runs/code-run.ts";
import { parseWrittenFile, type WrittenFile } from "#domain/code-runs/run-files.ts";
import { fieldsIn } from "#domain/typed-keys.ts";
import { readResidentMb } from "#worker/isolation/process-tree.ts";
import type { ProgramOrder } from "./program-order.ts";

type Ended = {
  ending: Ending;
  truncated: boolean;
  grownBytes: number | null;
  written: WrittenFile[];
  /** The process itself says that it is fit for no other program. */
  isLast: boolean;
};
/** Gets what the program writes, as it comes: 0 is its standard output, 1 its error output. */
export type OutputListener = (output: 0 | 1, bytes: Buffer) => void;

/** One program while it runs. What it ended with is the first of: its own report, the deadline, the memory, its death, an abort. */
type ProgramWatch = {
  ended: Promise<Ended>;
  /** Takes a message of the child, which is not trusted. */
  receive(message: Record<string, unknown>): void;
  /** Ends the watch where the child cannot be understood or is not there. */
  fail(): void;
};

const MB = 1024 * 1024;
// Beyond the program's own time: the child reports its end a moment after it.
const DEADLINE_SLACK_MS = 1_000;
const WATCH_EVERY_MS = 100;
// What an idle child takes, and what its files and the interpreter's own bookkeeping may take besides.
const RESIDENT_BASE_MB = 400;
// What the runner leaves with for a MemoryError that nothing caught. As a byte it is 1, as for every other exception.
const OUT_OF_MEMORY_EXIT = 0x1001;

export function watchProgram(
  child: ChildProcess,
  order: ProgramOrder,
  onOutput: OutputListener,
  signal?: AbortSignal,
): ProgramWatch {
  const { promise, resolve } = Promise.withResolvers<Ended>();
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
  const receive = (message: Record<string, unknown>) => {
    const { output, base64, end: reported, truncated, isLast } = message;
    const file = parseWrittenFile(message, written);
    if (file) written.push(file);
    if ((output === 0 || output === 1) && typeof base64 === "string")
      onOutput(output, Buffer.from(base64, "base64"));
    if (reported !== undefined)
      end(
        parseEnding(reported),
        truncated === true,
        parseGrowth(reported, order.memoryMb * MB),
        isLast === true,
      );
  };
  const ended = promise.finally(() => {
    clearTimeout(deadline);
    clearInterval(watchdog);
    child.off("close", fail);
    signal?.removeEventListener("abort", fail);
  });
  return { ended, receive, fail };
}

/** How the program ended, as the child reports it; a report that makes no sense is a crash. */
function parseEnding(reported: unknown): Ending {
  const { exit, timedOut, refusedGrowth } = fieldsIn(reported);
  if (timedOut === true) return "timed_out";
  // A program can raise that error, or leave with that code, while it has memory enough.
  if (exit === OUT_OF_MEMORY_EXIT && refusedGrowth === true) return "out_of_memory";
  if (typeof exit === "number" && Number.isInteger(exit)) return { exit: exit & 0xff };
  return refusedGrowth === true ? "out_of_memory" : "crashed";
}

/** The memory that the child reports, at most what it could have had. */
function parseGrowth(reported: unknown, maxBytes: number): number | null {
  const { grownBytes } = fieldsIn(reported);
  return typeof grownBytes === "number" && grownBytes >= 0 ? Math.min(grownBytes, maxBytes) : null;
}
