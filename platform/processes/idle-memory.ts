import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const CHECK_EVERY_MS = 10_000;
/** A process without visitors works less than this share of the time: for health checks and its own timers. */
const IDLE_SHARE = 0.02;
/** A collection blocks the process for about a tenth of a second, so it must free more than a few megabytes. */
const WORTH_BYTES = 32 * 1024 * 1024;

/** `leftBytes` is the heap after the last collection; 0 before the first. */
type HeapState = { utilization: number; heapBytes: number; leftBytes: number };

export const shouldCollect = ({ utilization, heapBytes, leftBytes }: HeapState): boolean =>
  utilization < IDLE_SHARE && heapBytes - leftBytes >= WORTH_BYTES;

/** V8 keeps the memory of finished work, and an idle process never returns it. This returns it after some idle seconds. */
export function collectGarbageWhenIdle(everyMs = CHECK_EVERY_MS): { close(): void } {
  const collect = createCollect();
  const readHeap = () => process.memoryUsage().heapTotal;
  let previous = performance.eventLoopUtilization();
  let leftBytes = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(previous);
    previous = performance.eventLoopUtilization();
    if (!shouldCollect({ utilization, heapBytes: readHeap(), leftBytes })) return;
    collect();
    leftBytes = readHeap();
  }, everyMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** V8 exposes its collector only to new contexts after the flag is set. Other ways to call it keep the memory in the process. */
function createCollect(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: (options: object) => void = runInNewContext("gc");
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
