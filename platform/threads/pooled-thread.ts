import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "#platform/durations.ts";
import {
  type GaveUp,
  giveUp,
  type ThreadJob,
  type ThreadMessage,
  type ThreadTask,
} from "#platform/threads/thread-job.ts";

/** How a run ended, as the pool needs to know it. */
export type RunEnd =
  | { ok: true; value: unknown; size: number; usedMs: number }
  | { ok: false; reason: GaveUp; error?: string };

// Loading a module may take long on a busy machine, and is nothing that a person's text can make longer.
const LOAD_DEADLINE_MS = MINUTE_MS;
/** How many times its processor time a run may last. Beyond it the machine counts as busy, and not the text as slow. */
const WALL_FACTOR = 8;
const LOOK_AGAIN_MIN_MS = 25;

/**
 * V8 may end the whole process where a thread reaches the limit of its heap, so that limit is never to be reached: a thread that holds
 * more than its share is ended by this process long before.
 */
const HEAP_ABOVE_SHARE_MB = 2_048;
const LOOK_AT_MEMORY_EVERY_MS = 25;
const BYTES_PER_MB = 1024 * 1024;

type Job = ThreadJob<unknown, unknown>;

/** One thread of a pool, seen from outside. It does one job at a time and keeps no process alive. */
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
    // Running out of memory between two jobs, too, ends only the thread.
    this.#worker.on("error", () => (this.isBroken = true));
    this.#worker.on("exit", () => (this.isBroken = true));
  }

  hasLoaded(module: string): boolean {
    return this.#loaded.has(module);
  }

  /** A run that fails or takes too long leaves the thread broken: the pool ends it. */
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
      const settle = (end: RunEnd) => {
        stopTimers();
        worker.off("message", onMessage).off("error", ended).off("exit", ended);
        resolve(end);
      };
      const late = () => settle(giveUp("too_slow"));
      const starved = () => settle(giveUp("busy"));
      const ended = () => settle(giveUp("failed"));
      const onMessage = (message: ThreadMessage) => {
        if ("begun" in message) {
          stopTimers();
          timers = [
            after(processorMs * WALL_FACTOR, starved),
            watchMemory(),
            afterProcessorTime(worker, message.begun + processorMs, processorMs, late),
          ];
        } else if ("gaveUp" in message) settle({ ok: false, reason: message.gaveUp, error: message.error });
        // A thread that is busy reports its memory late, and may end before that.
        else if (message.heapBytes > this.#memoryMb * BYTES_PER_MB) ended();
        else settle({ ok: true, value: message.value, size: message.size, usedMs: message.usedMs });
      };
      const watchMemory = () => afterMemory(worker, this.#memoryMb, ended);
      timers = [after(LOAD_DEADLINE_MS, starved), watchMemory()];
      worker.on("message", onMessage).on("error", ended).on("exit", ended);
      try {
        worker.postMessage({ module, run, input, maxOutput } satisfies ThreadTask);
      } catch {
        ended();
      }
    });
  }
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Calls back once the thread's heap holds more than so much. */
function afterMemory(worker: Worker, maxMb: number, then: () => void): () => void {
  let stopped = false;
  let timer = setTimeout(look, LOOK_AT_MEMORY_EVERY_MS);
  async function look(): Promise<void> {
    const heap = await worker.getHeapStatistics().catch(() => null);
    if (stopped || !heap) return;
    if (heap.used_heap_size > maxMb * BYTES_PER_MB) then();
    else timer = setTimeout(look, LOOK_AT_MEMORY_EVERY_MS);
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Calls back once the thread has used so much processor time in all. It first looks when that is possible at the earliest. */
function afterProcessorTime(worker: Worker, untilMs: number, firstMs: number, then: () => void): () => void {
  let stopped = false;
  let timer = setTimeout(look, firstMs);
  async function look(): Promise<void> {
    const used = await worker.cpuUsage().catch(() => null);
    if (stopped || !used) return;
    const leftMs = untilMs - (used.user + used.system) / 1000;
    if (leftMs <= 0) then();
    else timer = setTimeout(look, Math.max(LOOK_AGAIN_MIN_MS, leftMs));
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
