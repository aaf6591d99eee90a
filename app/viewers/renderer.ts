import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { NotRendered, Rendered, RenderTask } from "#app/viewers/render-task.ts";

/**
 * Renders foreign text on a thread of its own, one text at a time, each within a deadline: a text that takes longer costs
 * the thread, not the process. What was rendered is kept by its content, and so is what could not be.
 */
export type Renderer = { render(task: RenderTask): Promise<Rendered>; close(): Promise<void> };

export type RendererOptions = { deadlineMs?: number; maxLength?: number };

const DEADLINE_MS = 4_000;
const START_DEADLINE_MS = 30_000;
const MAX_LENGTH = 512 * 1024;
const MAX_WAITING = 40;
const CACHE_MAX_LENGTH = 16 * 1024 * 1024;
const THREAD_MEMORY_MB = 512;

// What may do better next time: a thread that died, and a text that came at a busy moment.
const RETRY_MS: Partial<Record<NotRendered, number>> = { failed: 0, too_slow: 60_000 };

const not = (reason: NotRendered): Rendered => ({ ok: false, reason });

export function createRenderer({
  deadlineMs = DEADLINE_MS,
  maxLength = MAX_LENGTH,
}: RendererOptions = {}): Renderer {
  const cache = new RenderedCache();
  let thread: Promise<Worker | null> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function run(task: RenderTask): Promise<Rendered> {
    thread ??= openThread();
    const worker = await thread;
    const rendered = worker ? await answerOf(worker, task, deadlineMs) : null;
    if (rendered !== null && rendered !== "late") return rendered;
    // The next text waits until the old thread is gone; whoever sent this one need not.
    thread = worker?.terminate().then(openThread);
    return not(rendered === "late" ? "too_slow" : "failed");
  }

  /** Whoever asks for what is being rendered already waits for the same answer. */
  function inTurn(task: RenderTask): Promise<Rendered> {
    if (waiting >= MAX_WAITING) return Promise.resolve(not("too_slow"));
    waiting += 1;
    const turn = last.then(() => run(task)).finally(() => (waiting -= 1));
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    async render(task) {
      if (task.body.length > maxLength) return not("too_large");
      return cache.recall(keyOf(task), () => inTurn(task));
    },
    async close() {
      await (await thread)?.terminate();
      thread = undefined;
    },
  };
}

function keyOf(task: RenderTask): string {
  return createHash("sha256").update(JSON.stringify(task)).digest("base64url");
}

/** Ready for its first text; null where it could not be started. It keeps no process alive. */
async function openThread(): Promise<Worker | null> {
  const worker = new Worker(new URL("./render-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    stderr: false,
  });
  worker.unref();
  const ready = await messageOf<string>(worker, START_DEADLINE_MS);
  if (ready === "ready") return worker;
  await worker.terminate();
  return null;
}

function answerOf(worker: Worker, task: RenderTask, deadlineMs: number): Promise<Rendered | "late" | null> {
  const answer = messageOf<Rendered>(worker, deadlineMs);
  worker.postMessage(task);
  return answer;
}

/** The next message; "late" past the deadline, null where the thread ended instead. */
function messageOf<T>(worker: Worker, deadlineMs: number): Promise<T | "late" | null> {
  return new Promise((resolve) => {
    const settle = (value: T | "late" | null) => {
      clearTimeout(timer);
      worker.off("message", settle).off("error", ended).off("exit", ended);
      resolve(value);
    };
    const ended = () => settle(null);
    const timer = setTimeout(settle, deadlineMs, "late");
    worker.on("message", settle).on("error", ended).on("exit", ended);
  });
}

/** What was rendered, by its content; the longest unused give way. */
class RenderedCache {
  readonly #kept = new Map<string, { rendered: Promise<Rendered>; length: number }>();
  #length = 0;

  recall(key: string, make: () => Promise<Rendered>): Promise<Rendered> {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.rendered;
    }
    const entry = { rendered: make(), length: key.length };
    this.#kept.set(key, entry);
    this.#length += entry.length;
    entry.rendered.then(
      (rendered) => this.#grow(key, entry, rendered),
      () => this.#forget(key),
    );
    return entry.rendered;
  }

  #grow(key: string, entry: { length: number }, rendered: Rendered): void {
    const retryMs = rendered.ok ? undefined : RETRY_MS[rendered.reason];
    if (retryMs !== undefined) setTimeout(() => this.#forget(key), retryMs).unref();
    const more = rendered.ok ? rendered.html.length : 0;
    entry.length += more;
    this.#length += more;
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= CACHE_MAX_LENGTH) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#length -= this.#kept.get(key)?.length ?? 0;
    this.#kept.delete(key);
  }
}
