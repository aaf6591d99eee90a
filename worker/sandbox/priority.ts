import { writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** Relative to this process, which may itself run at a low priority. */
const LOW_PRIORITY = 10;
const LOWEST_PRIORITY = constants.priority.PRIORITY_LOW;

export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(LOWEST_PRIORITY, getPriority() + LOW_PRIORITY));
  } catch {
    // The process has already ended, which is reported to those who wait.
  }
}

/**
 * If Linux groups processes by session, priorities count only within a session, and each session gets an equal share of the
 * processor. Works only for a process that leads a session.
 */
export function lowerSessionPriority(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
  } catch {
    // This system does not group processes, does not allow it now, or the process has ended.
  }
}
