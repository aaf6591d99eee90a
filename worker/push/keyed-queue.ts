import { SECOND_MS } from "#domain/time/durations.ts";

/**
 * A queue by key: items of a key begin in order, one after another; items of different keys run side by side up to a limit.
 * Work that takes too long no longer blocks its key, so a hanging item delays no other.
 */
type KeyedQueue<T> = {
  add(key: string, item: T): void;
  readonly waiting: number;
  readonly atWork: number;
  /** Removes and returns everything that has not begun. */
  empty(): T[];
  /** Resolves when an item ends, or after a moment. */
  moved(): Promise<void>;
  /** Resolves when all running items have ended, or after a moment. */
  emptied(): Promise<void>;
};

const LANES_MAX = 32;
const PATIENCE_MS = SECOND_MS;
const MOMENT_MS = SECOND_MS / 4;

export function createKeyedQueue<T>(work: (item: T) => Promise<void>): KeyedQueue<T> {
  const waiting = new Map<string, T[]>();
  const openKeys = new Set<string>();
  const atWork = new Set<Promise<void>>();

  function begin(item: T): Promise<void> {
    const working = work(item).finally(() => atWork.delete(working));
    atWork.add(working);
    return working;
  }

  async function runKey(key: string): Promise<void> {
    openKeys.add(key);
    for (let item = waiting.get(key)?.shift(); item !== undefined; item = waiting.get(key)?.shift())
      await awaitAtMost(begin(item), PATIENCE_MS);
    openKeys.delete(key);
    waiting.delete(key);
    const next = [...waiting.keys()].find((other) => !openKeys.has(other));
    if (next !== undefined) void runKey(next);
  }

  return {
    add(key, item) {
      const queue = waiting.get(key);
      if (queue) return void queue.push(item);
      waiting.set(key, [item]);
      if (openKeys.size < LANES_MAX) void runKey(key);
    },
    get waiting() {
      return waiting.values().reduce((count, items) => count + items.length, 0);
    },
    get atWork() {
      return atWork.size;
    },
    empty: () => [...waiting.values()].flatMap((items) => items.splice(0)),
    emptied: () => awaitAtMost(Promise.all(atWork), MOMENT_MS),
    moved: () => awaitAtMost(Promise.race(atWork), MOMENT_MS),
  };
}

/** Resolves when the work ends, or after the time. */
export async function awaitAtMost(working: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([working, patience]).finally(() => clearTimeout(timer));
}
