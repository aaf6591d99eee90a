import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const LOW_PRIORITY = 10;

export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, which those who wait are told.
  }
}

/**
 * Where Linux groups processes by session, a process's priority counts within its session alone, and each session has an equal
 * share of the processor, whatever runs in it. Only for a process that leads a session.
 */
export function lowerSession(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
  } catch {
    // This system does not group them, does not allow it at this moment, or the process ended already.
  }
}
