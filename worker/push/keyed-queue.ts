import { SECOND_MS } from "#domain/time/durations.ts";

/**
 * A queue by key: what belongs to one key is begun in order, one after the other; different keys go side by side, so many at
 * once. Work that takes longer than its patience goes on beside its key: one that hangs delays nobody else.
 */
type KeyedQueue<T> = {
  add(key: string, item: T): void;
  readonly waiting: number;
  readonly atWork: number;
  /** Takes back everything that has not begun. */
  empty(): T[];
  /** Resolves when something ends, or after a moment. */
  moved(): Promise<void>;
  /** Resolves when all that is at work now has ended, or after a moment. */
  emptied(): Promise<void>;
};

const LANES_MAX = 32;
const PATIENCE_MS = SECOND_MS;
const MOMENT_MS = SECOND_MS / 4;

export function createKeyedQueue<T>(work: (item: T) => Promise<void>): KeyedQueue<T> {
  const waiting = new Map<string, T[]>();
  const open = new Set<string>();
  const atWork = new Set<Promise<void>>();

  function begin(item: T): Promise<void> {
    const working = work(item).finally(() => atWork.delete(working));
    atWork.add(working);
    return working;
  }

  async function follow(key: string): Promise<void> {
    open.add(key);
    for (let item = waiting.get(key)?.shift(); item !== undefined; item = waiting.get(key)?.shift())
      await withPatience(begin(item), PATIENCE_MS);
    open.delete(key);
    waiting.delete(key);
    const next = [...waiting.keys()].find((other) => !open.has(other));
    if (next !== undefined) void follow(next);
  }

  return {
    add(key, item) {
      const queue = waiting.get(key);
      if (queue) return void queue.push(item);
      waiting.set(key, [item]);
      if (open.size < LANES_MAX) void follow(key);
    },
    get waiting() {
      return waiting.values().reduce((count, items) => count + items.length, 0);
    },
    get atWork() {
      return atWork.size;
    },
    empty: () => [...waiting.values()].flatMap((items) => items.splice(0)),
    emptied: () => withPatience(Promise.all(atWork), MOMENT_MS),
    moved: () => withPatience(Promise.race(atWork), MOMENT_MS),
  };
}

/** Until it ends, or for so long. */
export async function withPatience(working: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([working, patience]).finally(() => clearTimeout(timer));
}
