import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/** The delays between attempts to deliver a message: five attempts take an hour. */
const WAITS_MS = [5 * SECOND_MS, MINUTE_MS, 9 * MINUTE_MS, 50 * MINUTE_MS];
const LONGEST_WAIT_MS = HOUR_MS;
const HELD_MAX_MS = DAY_MS;

/** Returns the delay after the n-th attempt, up to a fifth longer so that retries spread out. */
export function retryWaitMs(attempt: number, random: number): number {
  const waitMs = WAITS_MS[attempt - 1] ?? LONGEST_WAIT_MS;
  return Math.round(waitMs * (1 + random / 5));
}

/** Limits how long a push service can keep us from sending to a device. */
export function limitHoldMs(requestedMs: number): number {
  return Math.min(requestedMs, HELD_MAX_MS);
}
