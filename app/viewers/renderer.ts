import { createHash } from "node:crypto";
import type { NotRendered, Rendered, RenderTask } from "#app/viewers/render-task.ts";
import { createThread, type Unanswered } from "#platform/thread.ts";

/**
 * Renders foreign text on a thread of its own, one text at a time, each within a deadline: a text that takes longer costs
 * the thread, not the process. What was rendered is kept by its content, and so is what could not be.
 */
export type Renderer = { render(task: RenderTask): Promise<Rendered>; close(): Promise<void> };

export type RendererOptions = { deadlineMs?: number; maxLength?: number };

const DEADLINE_MS = 4_000;
const MAX_LENGTH = 512 * 1024;
const MAX_WAITING = 40;
const CACHE_MAX_LENGTH = 16 * 1024 * 1024;
const THREAD_MEMORY_MB = 512;

// What may do better next time: a thread that died, and a text that came at a busy moment.
const RETRY_MS: Partial<Record<NotRendered, number>> = { failed: 0, too_slow: 60_000 };

const UNANSWERED: Record<Unanswered, NotRendered> = { late: "too_slow", busy: "too_slow", failed: "failed" };

const not = (reason: NotRendered): Rendered => ({ ok: false, reason });

export function createRenderer({
  deadlineMs = DEADLINE_MS,
  maxLength = MAX_LENGTH,
}: RendererOptions = {}): Renderer {
  const cache = new RenderedCache();
  const thread = createThread<RenderTask, Rendered>({
    module: new URL("./render-thread.ts", import.meta.url),
    deadlineMs,
    maxWaiting: MAX_WAITING,
    memoryMb: THREAD_MEMORY_MB,
  });

  async function run(task: RenderTask): Promise<Rendered> {
    const answer = await thread.ask(task);
    return typeof answer === "string" ? not(UNANSWERED[answer]) : answer;
  }

  return {
    async render(task) {
      if (task.body.length > maxLength) return not("too_large");
      // Whoever asks for what is being rendered already waits for the same answer.
      return cache.recall(keyOf(task), () => run(task));
    },
    close: () => thread.close(),
  };
}

function keyOf(task: RenderTask): string {
  return createHash("sha256").update(JSON.stringify(task)).digest("base64url");
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
