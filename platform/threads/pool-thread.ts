import { setPriority } from "node:os";
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import {
  listBuffers,
  measureOutput,
  type ThreadMessage,
  type ThreadTask,
} from "#platform/threads/thread-job.ts";

/**
 * The module on each thread of a pool. It loads the modules of jobs on first use and stores nothing else, because it may be
 * ended at any moment. A throwing job is reported as failed, and the pool then ends the thread.
 */
type Jobs = Record<string, (input: unknown) => unknown>;

if (!parentPort) throw new Error("This module runs in a thread");
const port = parentPort;
const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const readProcessorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

port.on("message", async ({ module, run, input, maxOutput }: ThreadTask) => {
  try {
    const jobs: Jobs = await import(/* @vite-ignore */ module);
    const begun = readProcessorMs();
    send({ begun });
    const job = jobs[run];
    if (!job) throw new Error(`${module} has no job ${run}`);
    const value = await job(input);
    const size = measureOutput(value, maxOutput);
    if (size > maxOutput) send({ gaveUp: "too_large" });
    else {
      const usedMs = readProcessorMs() - begun;
      send({ value, size, usedMs, heapBytes: getHeapStatistics().used_heap_size }, listBuffers(value));
    }
  } catch (error) {
    send({ gaveUp: "failed", error: error instanceof Error ? error.name : typeof error });
  }
});

// The serving thread has a slightly higher priority, so that others do not starve. On systems other than Linux this call would
// slow down the whole process.
if (process.platform === "linux") setPriority(5);
