import { MINUTE_MS } from "#domain/time/durations.ts";

/** The states of a job's run. A final state never changes. */
export const RUN_STATUSES = ["pending", "running", "completed", "failed", "cancelled", "skipped"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TRIGGERS = ["scheduled", "manual", "startup"] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const FINAL_STATUSES: readonly RunStatus[] = ["completed", "failed", "cancelled", "skipped"];

/** The English reasons of runs that failed without an error. */
export const FAILURE_MESSAGES = {
  orphaned: "The worker stopped while this ran",
  no_result: "The worker reported no result in time",
  push_given_up: "No device of the person could be reached",
} as const;
export type FailureReason = keyof typeof FAILURE_MESSAGES;

export const HEARTBEAT_STALE_MS = 5 * MINUTE_MS;
const RUN_TOO_LONG_MS = 20 * MINUTE_MS;
export const RUN_LOG_LINES = 50;

type Moments = { started_at: Date | null; heartbeat_at: Date | null };

type StuckReason = "heartbeat_stale" | "too_long";

export function stuckReason(run: Moments, now: Date): StuckReason | null {
  const sinceMs = (moment: Date | null) => (moment ? now.getTime() - moment.getTime() : 0);
  if (sinceMs(run.heartbeat_at ?? run.started_at) > HEARTBEAT_STALE_MS) return "heartbeat_stale";
  if (sinceMs(run.started_at) > RUN_TOO_LONG_MS) return "too_long";
  return null;
}
