import { AsyncLocalStorage } from "node:async_hooks";

/** The processor time on threads for all texts of one request. */
export const PAGE_MS = 2_000;

type PageTime = { leftMs: number };
const pageTime = new AsyncLocalStorage<PageTime>();

/** Gives all thread work of `answer` a shared limit. */
export function runWithPageTimeLimit<T>(answer: () => T, leftMs = PAGE_MS): T {
  return pageTime.run({ leftMs }, answer);
}

/** Returns the current request's remaining time; undefined outside a request. */
export const findPageTime = (): PageTime | undefined => pageTime.getStore();
