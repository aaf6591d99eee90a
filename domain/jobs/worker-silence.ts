import { SECOND_MS } from "#domain/time/durations.ts";

/** Workers and runs with an older heartbeat count as not responding. */
export const WORKER_SILENCE_MAX_MS = 30 * SECOND_MS;

export const isSilent = (heartbeatAt: Date, now: Date): boolean =>
  now.getTime() - heartbeatAt.getTime() > WORKER_SILENCE_MAX_MS;
