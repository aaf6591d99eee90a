import { LRUCache } from "lru-cache";
import { SECOND_MS } from "#domain/time/durations.ts";

/** The delay after another process pinned, starred or opened a file. */
const CACHE_MS = 2 * SECOND_MS;
const OWNERS_MAX = 10_000;

type CacheEntry = { question: string; until: number; numbers: Promise<number[]> };

/** Caches the files that a person's searches rank first. People search letter by letter, and these files stay the same during it. */
export type PreferredMemory = {
  /** Returns the result for the same question from a moment ago, or finds it now. */
  recall(ownerId: string, question: string, find: () => Promise<number[]>): Promise<number[]>;
  /** Called after a file was pinned, starred or opened. */
  forget(ownerId: string): void;
};

export function createPreferredCache(clock: () => number = () => performance.now()): PreferredMemory {
  const cache = new LRUCache<string, CacheEntry>({ max: OWNERS_MAX });
  return {
    recall(ownerId, question, find) {
      const cached = cache.get(ownerId);
      if (cached?.question === question && clock() < cached.until) return cached.numbers;
      const entry = { question, until: clock() + CACHE_MS, numbers: find() };
      cache.set(ownerId, entry);
      entry.numbers.catch(() => {
        if (cache.get(ownerId) === entry) cache.delete(ownerId);
      });
      return entry.numbers;
    },
    forget: (ownerId) => void cache.delete(ownerId),
  };
}
