import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { FairQueue } from "#platform/threads/fair-queue.ts";
import { OwnerTurns } from "#platform/threads/owner-turns.ts";
import { findPageTime } from "#platform/threads/page-time.ts";
import { PooledThread, type RunEnd } from "#platform/threads/pooled-thread.ts";
import { ResultCache, type SizedResult } from "#platform/threads/result-cache.ts";
import { type GaveUp, giveUp, type ThreadJob, type ThreadResult } from "#platform/threads/thread-job.ts";

/**
 * Threads for all work whose cost depends on a text by a person. Each run has limits of processor time, memory and output, and
 * all runs of a request share a limit of processor time; a run beyond a limit ends its thread but never the process. An owner
 * gets at most half of the threads, and owners are served in turn. While the process is busy for others, an owner of slow texts
 * waits longer. Threads start when needed and end when idle.
 */
export type ThreadPool = {
  /**
   * A result without an answer has the reason; only a failure to read the input throws. An input function is not called if the
   * result is cached.
   */
  run<Input, Output>(
    job: ThreadJob<Input, Output>,
    input: Input | (() => Promise<Input>),
    options: RunOptions,
  ): Promise<ThreadResult<Output>>;
  /** Waits until this owner would get a turn. For requests with long texts, before their bodies are read. */
  awaitTurn(owner: string): Promise<void>;
  close(): Promise<void>;
};

type RunOptions = {
  /** The owner of the text. A shared text counts for its owner and not for its reader. */
  owner: string;
  /** The cache key (`digestKey`). Without it the result is not cached. */
  key?: string;
  /** Skips the owner's turn and the page's limit, because work for others waits for this run. */
  atOnce?: boolean;
};

export type ThreadPoolOptions = {
  size?: number;
  maxWaiting?: number;
  /** The longest wait for a thread. */
  maxWaitMs?: number;
  memoryMb?: number;
  /** The time after which an idle thread ends. */
  idleMs?: number;
  /** The size of the cache, in characters. */
  maxRemembered?: number;
  metrics?: Metrics;
  log?: Log;
  now?: () => number;
  /** True if others than this owner wait for the process. */
  isBusyFor?: (owner: string) => boolean;
};

// At least two, so that a single text never blocks all threads; more than four would only take memory.
const SIZE = Math.max(2, Math.min(4, availableParallelism()));
const MAX_WAITING = 200;
const MAX_WAIT_MS = 20_000;
const MEMORY_MB = 768;
const IDLE_MS = 120_000;
/** The interval of checks for an owner's turn or for the end of the busy time. */
const CHECK_AGAIN_MS = 50;
const MAX_REMEMBERED = 24 * 1024 * 1024;

type Run = {
  job: ThreadJob<unknown, unknown>;
  input: unknown;
  owner: string;
  atOnce: boolean;
  resolve: (end: RunEnd) => void;
  waiting: NodeJS.Timeout | undefined;
};

const DEFAULTS = {
  size: SIZE,
  maxWaiting: MAX_WAITING,
  maxWaitMs: MAX_WAIT_MS,
  memoryMb: MEMORY_MB,
  idleMs: IDLE_MS,
  maxRemembered: MAX_REMEMBERED,
  now: () => performance.now(),
  isBusyFor: (_owner: string) => false,
};

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  return new Pool({ ...DEFAULTS, ...options });
}

class Pool implements ThreadPool {
  readonly #options: ThreadPoolOptions & typeof DEFAULTS;
  readonly #idle = new Map<PooledThread, NodeJS.Timeout>();
  /** Running threads with the owner of their text. */
  readonly #busy = new Map<PooledThread, string>();
  readonly #queue: FairQueue<Run>;
  readonly #turns: OwnerTurns;
  readonly #cache: ResultCache;
  #nextTurn: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadPoolOptions & typeof DEFAULTS) {
    this.#options = options;
    this.#queue = new FairQueue(options.maxWaiting);
    this.#turns = new OwnerTurns(options.isBusyFor, options.now);
    this.#cache = new ResultCache(options.maxRemembered, options.now);
    const { metrics } = options;
    metrics?.gauge("codeshelf_threads", { state: "busy" }, () => this.#busy.size);
    metrics?.gauge("codeshelf_threads", { state: "idle" }, () => this.#idle.size);
    metrics?.gauge("codeshelf_thread_jobs_waiting", {}, () => this.#queue.size);
  }

  async run<Input, Output>(
    job: ThreadJob<Input, Output>,
    input: Input | (() => Promise<Input>),
    { key, ...options }: RunOptions,
  ) {
    // The queue and the cache hold jobs of all kinds; the job's name in the key keeps their results apart.
    const make = async () =>
      this.#measure(job as Run["job"], input instanceof Function ? await input() : input, options);
    const result =
      key === undefined ? (await make()).result : await this.#cache.getOrCreate(`${job.name} ${key}`, make);
    return result as ThreadResult<Output>;
  }

  async awaitTurn(owner: string): Promise<void> {
    const until = performance.now() + this.#turns.waitMs(owner);
    while (performance.now() < until && this.#turns.waitMs(owner) > 0) await pause(CHECK_AGAIN_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextTurn);
    for (const run of this.#queue.clear()) refuseRun(run);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    const threads = [...this.#idle.keys(), ...this.#busy.keys()];
    this.#idle.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  async #measure(job: Run["job"], input: unknown, options: RunOptions): Promise<SizedResult> {
    const { metrics, log } = this.#options;
    const pageTime = options.atOnce ? undefined : findPageTime();
    const processorMs = Math.min(job.processorMs, pageTime?.leftMs ?? job.processorMs);
    if (processorMs <= 0) return NO_TIME_LEFT;
    const startedAt = performance.now();
    const end = await this.#perform({ ...job, processorMs }, input, options);
    if (pageTime) pageTime.leftMs -= usedMs(processorMs, end);
    const outcome: GaveUp | "done" = end.ok ? "done" : end.reason;
    const seconds = (performance.now() - startedAt) / 1000;
    metrics?.observe("codeshelf_thread_job_seconds", seconds, { job: job.name, outcome });
    if (end.ok) return { result: { ok: true, value: end.value }, size: end.size, gaveUp: null };
    // Another page may have the time for it.
    const isPageSlow = end.reason === "too_slow" && processorMs < job.processorMs;
    if (isPageSlow) return NO_TIME_LEFT;
    if (end.reason === "failed") log?.warn("thread_job_failed", { job: job.name, error: end.error });
    return { result: giveUp(end.reason), size: 0, gaveUp: end.reason };
  }

  #perform(job: Run["job"], input: unknown, { owner, atOnce = false }: RunOptions): Promise<RunEnd> {
    if (this.#isClosed) return Promise.resolve(giveUp("busy"));
    return new Promise((resolve) => {
      const run: Run = { job, input, owner, atOnce, resolve, waiting: undefined };
      // Urgent runs have a line of their own, so that they do not wait behind runs that have to wait.
      const line = atOnce ? `${owner} at once` : owner;
      run.waiting = setTimeout(() => {
        this.#queue.remove(line, run);
        refuseRun(run);
      }, this.#options.maxWaitMs);
      const dropped = this.#queue.add(line, run);
      if (dropped) refuseRun(dropped);
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    while (this.#busy.size < this.#options.size) {
      const run = this.#queue.take((next) => this.#mayHaveThread(next));
      if (!run) return;
      clearTimeout(run.waiting);
      const thread = this.#takeThread(run.job.module);
      this.#busy.set(thread, run.owner);
      void thread.run(run.job, run.input).then((end) => {
        this.#turns.recordUse(run.owner, usedMs(run.job.processorMs, end));
        this.#release(thread);
        run.resolve(end);
      });
    }
  }

  #mayHaveThread({ owner, atOnce }: Run): boolean {
    const threadCount = [...this.#busy.values()].filter((busyOwner) => busyOwner === owner).length;
    if (threadCount >= Math.max(1, Math.floor(this.#options.size / 2))) return false;
    const isTooEarly = !atOnce && this.#turns.waitMs(owner) > 0;
    if (isTooEarly) this.#startLater();
    return !isTooEarly;
  }

  #startLater(): void {
    this.#nextTurn ??= setTimeout(() => {
      this.#nextTurn = undefined;
      this.#startWaiting();
    }, CHECK_AGAIN_MS).unref();
  }

  /** Takes an idle thread that has loaded the module, otherwise any idle thread, otherwise a new one. */
  #takeThread(module: string): PooledThread {
    const idleThreads = [...this.#idle.keys()].filter((thread) => !thread.isBroken);
    const thread = idleThreads.find((idleThread) => idleThread.hasLoaded(module)) ?? idleThreads[0];
    if (!thread) return new PooledThread(this.#options.memoryMb);
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    return thread;
  }

  #release(thread: PooledThread): void {
    this.#busy.delete(thread);
    const end = () => {
      this.#idle.delete(thread);
      void thread.close();
    };
    if (thread.isBroken || this.#isClosed) end();
    else this.#idle.set(thread, setTimeout(end, this.#options.idleMs).unref());
    this.#startWaiting();
  }
}

/** Not cached, because the next request may have time for it. */
const NO_TIME_LEFT: SizedResult = { result: giveUp("too_slow"), size: 0, gaveUp: "busy" };

/** A run that was ended for its time counts with its limit. Other failed runs count nothing, because their use is unknown. */
function usedMs(processorMs: number, end: RunEnd): number {
  if (end.ok) return end.usedMs;
  return end.reason === "too_slow" ? processorMs : 0;
}

function refuseRun(run: Run): void {
  clearTimeout(run.waiting);
  run.resolve(giveUp("busy"));
}
