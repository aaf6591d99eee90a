import { LRUCache } from "lru-cache";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Another process may have pinned, starred or opened a file meanwhile: its order is late by so much. */
const KEPT_MS = 2 * SECOND_MS;
const OWNERS_MAX = 10_000;

type Kept = { question: string; until: number; numbers: Promise<number[]> };

/** The files that a person's searches put first. People search letter by letter, and these stay the same meanwhile. */
export type PreferredMemory = {
  /** What was found for the same question a moment ago, or else what is found now. */
  recall(ownerId: string, question: string, find: () => Promise<number[]>): Promise<number[]>;
  /** After a file was pinned, starred or opened. */
  forget(ownerId: string): void;
};

export function createPreferredMemory(clock: () => number = () => performance.now()): PreferredMemory {
  const kept = new LRUCache<string, Kept>({ max: OWNERS_MAX });
  return {
    recall(ownerId, question, find) {
      const known = kept.get(ownerId);
      if (known?.question === question && clock() < known.until) return known.numbers;
      const found = { question, until: clock() + KEPT_MS, numbers: find() };
      kept.set(ownerId, found);
      found.numbers.catch(() => {
        if (kept.get(ownerId) === found) kept.delete(ownerId);
      });
      return found.numbers;
    },
    forget: (ownerId) => void kept.delete(ownerId),
  };
}
