import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/** When a message that did not get through is tried again: five attempts take an hour. */
const WAITS_MS = [5 * SECOND_MS, MINUTE_MS, 9 * MINUTE_MS, 50 * MINUTE_MS];
const LONGEST_WAIT_MS = HOUR_MS;
const HELD_MAX_MS = DAY_MS;

/** After the n-th attempt, each up to a fifth longer so that many do not come at once. */
export function retryWaitMs(attempt: number, random: number): number {
  const waitMs = WAITS_MS[attempt - 1] ?? LONGEST_WAIT_MS;
  return Math.round(waitMs * (1 + random / 5));
}

/** How long a device is left alone because its push service asked for it; a day at most. */
export function heldMs(requestedMs: number): number {
  return Math.min(requestedMs, HELD_MAX_MS);
}
