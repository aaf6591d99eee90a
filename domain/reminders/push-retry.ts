/** When a message that did not get through is tried again: five attempts take an hour. */
const WAITS_MS = [5_000, 60_000, 9 * 60_000, 50 * 60_000];
const LONGEST_WAIT_MS = 60 * 60_000;
const HELD_MAX_MS = 24 * 60 * 60_000;

/** After the n-th attempt, each up to a fifth longer so that many do not come at once. */
export function retryWaitMs(attempt: number, random: number): number {
  const waitMs = WAITS_MS[attempt - 1] ?? LONGEST_WAIT_MS;
  return Math.round(waitMs * (1 + random / 5));
}

/** How long a device is left alone because its push service asked for it; a day at most. */
export function heldMs(requestedMs: number): number {
  return Math.min(requestedMs, HELD_MAX_MS);
}
