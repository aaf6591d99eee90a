import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "#platform/durations.ts";
import {
  type GaveUp,
  giveUp,
  type ThreadJob,
  type ThreadMessage,
  type ThreadTask,
} from "#platform/threads/thread-job.ts";

/** The end of a run, as reported to the pool. */
export type RunEnd =
  | { ok: true; value: unknown; size: number; usedMs: number }
  | { ok: false; reason: GaveUp; error?: string };

// Loading a module may be slow on a busy machine, and no text of a person can prolong it.
const LOAD_DEADLINE_MS = MINUTE_MS;
/** A run may last its processor time multiplied by this. Beyond that the machine counts as busy, and the text not as slow. */
const WALL_FACTOR = 8;
const LOOK_AGAIN_MIN_MS = 25;

/**
 * V8 may end the whole process if a thread reaches its heap limit, so that limit must never be reached: the pool ends a thread
 * above its share long before.
 */
const HEAP_ABOVE_SHARE_MB = 2_048;
const LOOK_AT_MEMORY_EVERY_MS = 25;
const BYTES_PER_MB = 1024 * 1024;

type Job = ThreadJob<unknown, unknown>;

/** A thread of a pool, seen from outside. It does one job at a time and does not keep the process alive. */
export class PooledThread {
  readonly #worker: Worker;
  readonly #memoryMb: number;
  readonly #loaded = new Set<string>();
  isBroken = false;

  constructor(memoryMb: number) {
    this.#memoryMb = memoryMb;
    this.#worker = new Worker(new URL("./pool-thread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb + HEAP_ABOVE_SHARE_MB },
    });
    this.#worker.unref();
    // Running out of memory between two jobs also ends only the thread.
    this.#worker.on("error", () => (this.isBroken = true));
    this.#worker.on("exit", () => (this.isBroken = true));
  }

  hasLoaded(module: string): boolean {
    return this.#loaded.has(module);
  }

  /** A failed or too slow run leaves the thread broken, so the pool ends it. */
  async run(job: Job, input: unknown): Promise<RunEnd> {
    const end = await this.#answer(job, input);
    if (end.ok || end.reason === "too_large") this.#loaded.add(job.module);
    else this.isBroken = true;
    return end;
  }

  close(): Promise<unknown> {
    this.isBroken = true;
    return this.#worker.terminate();
  }

  #answer({ module, run, processorMs, maxOutput }: Job, input: unknown): Promise<RunEnd> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      let timers: (() => void)[] = [];
      const stopTimers = () => {
        for (const stop of timers) stop();
        timers = [];
      };
      const endRun = (end: RunEnd) => {
        stopTimers();
        worker.off("message", onMessage).off("error", endAsFailed).off("exit", endAsFailed);
        resolve(end);
      };
      const endAsSlow = () => endRun(giveUp("too_slow"));
      const endAsBusy = () => endRun(giveUp("busy"));
      const endAsFailed = () => endRun(giveUp("failed"));
      const onMessage = (message: ThreadMessage) => {
        if ("begun" in message) {
          stopTimers();
          timers = [
            startTimer(processorMs * WALL_FACTOR, endAsBusy),
            watchMemory(),
            watchProcessorTime(worker, message.begun + processorMs, processorMs, endAsSlow),
          ];
        } else if ("gaveUp" in message) endRun({ ok: false, reason: message.gaveUp, error: message.error });
        // A busy thread reports its memory late, or ends before it does.
        else if (message.heapBytes > this.#memoryMb * BYTES_PER_MB) endAsFailed();
        else endRun({ ok: true, value: message.value, size: message.size, usedMs: message.usedMs });
      };
      const watchMemory = () => watchHeap(worker, this.#memoryMb, endAsFailed);
      timers = [startTimer(LOAD_DEADLINE_MS, endAsBusy), watchMemory()];
      worker.on("message", onMessage).on("error", endAsFailed).on("exit", endAsFailed);
      try {
        worker.postMessage({ module, run, input, maxOutput } satisfies ThreadTask);
      } catch {
        endAsFailed();
      }
    });
  }
}

function startTimer(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

/** Calls back when the thread's heap exceeds the limit. */
function watchHeap(worker: Worker, maxMb: number, call: () => void): () => void {
  let isStopped = false;
  let timer = setTimeout(check, LOOK_AT_MEMORY_EVERY_MS);
  async function check(): Promise<void> {
    const heap = await worker.getHeapStatistics().catch(() => null);
    if (isStopped || !heap) return;
    if (heap.used_heap_size > maxMb * BYTES_PER_MB) call();
    else timer = setTimeout(check, LOOK_AT_MEMORY_EVERY_MS);
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Calls back when the thread has used this processor time in total. The first check is at the earliest possible time. */
function watchProcessorTime(worker: Worker, untilMs: number, firstMs: number, call: () => void): () => void {
  let isStopped = false;
  let timer = setTimeout(check, firstMs);
  async function check(): Promise<void> {
    const usage = await worker.cpuUsage().catch(() => null);
    if (isStopped || !usage) return;
    const leftMs = untilMs - (usage.user + usage.system) / 1000;
    if (leftMs <= 0) call();
    else timer = setTimeout(check, Math.max(LOOK_AGAIN_MIN_MS, leftMs));
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
