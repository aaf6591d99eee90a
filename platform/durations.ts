/** This room imports no other, so it has its own durations. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const HOUR_SECONDS = HOUR_MS / 1_000;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
