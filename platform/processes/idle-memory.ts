import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_EVERY_MS = 10_000;
/** The share of the time that a process without visitors works: for health checks, and its own clock. */
const IDLE_SHARE = 0.02;
/** A collection holds everybody for about a tenth of a second, so it has to give back more than a few megabytes. */
const WORTH_BYTES = 32 * 1024 * 1024;

/** `leftBytes`: what the heap had after the last collection, none before the first. */
type Look = { utilization: number; heapBytes: number; leftBytes: number };

export const shouldCollect = ({ utilization, heapBytes, leftBytes }: Look): boolean =>
  utilization < IDLE_SHARE && heapBytes - leftBytes >= WORTH_BYTES;

/**
 * V8 keeps the memory that work took, and a process that does nothing afterwards never gives it back by itself. This makes it do so
 * after some seconds in which nothing happened.
 */
export function returnMemoryWhenIdle(everyMs = LOOK_EVERY_MS): { close(): void } {
  const collect = createCollect();
  const readHeap = () => process.memoryUsage().heapTotal;
  let before = performance.eventLoopUtilization();
  let leftBytes = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (!shouldCollect({ utilization, heapBytes: readHeap(), leftBytes })) return;
    collect();
    leftBytes = readHeap();
  }, everyMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** V8 hands out its collector to a new context only, once it was told to. Other ways of calling it keep the memory in the process. */
function createCollect(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: (options: object) => void = runInNewContext("gc");
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
