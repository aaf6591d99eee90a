import { AsyncLocalStorage } from "node:async_hooks";

/** Processor time that the texts of one request may take on threads in all. */
export const PAGE_MS = 2_000;

type PageTime = { leftMs: number };
const pageTime = new AsyncLocalStorage<PageTime>();

/** Everything that runs on threads for `answer` shares one limit. */
export function limitPageTime<T>(answer: () => T, leftMs = PAGE_MS): T {
  return pageTime.run({ leftMs }, answer);
}

/** The time left to the request that is being answered; undefined for work that belongs to no request. */
export const findPageTime = (): PageTime | undefined => pageTime.getStore();
