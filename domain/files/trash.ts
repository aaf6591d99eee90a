import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { codePoints } from "#domain/text/text.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

/** The trash: how long a deleted file can be taken back, and under which name. */
export const TRASH_DAYS = 30;

export function trashExpiry(deletedAt: Date, days = TRASH_DAYS): Date {
  return new Date(deletedAt.getTime() + days * DAY_MS);
}

/**
 * Files this long past their date are overdue. A TTL index is swept about once a minute, and a sweep with much to remove takes a
 * while.
 */
const SWEEP_GRACE_MS = 10 * MINUTE_MS;

/** A date in the trash that lies before this moment is overdue. */
export function overdueBefore(now: Date): Date {
  return new Date(now.getTime() - SWEEP_GRACE_MS);
}

/**
 * The date of a file that lies in the trash without one. It is at least a day ahead, because its owner was never told a date and
 * the repair must not delete it at once.
 */
export function belatedExpiry(deletedAt: Date, now: Date): Date {
  return new Date(Math.max(trashExpiry(deletedAt).getTime(), now.getTime() + DAY_MS));
}

/** The name with a number before its suffix: `a.py`, `a (2).py`. A name at its limit is cut to make room. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const mark = ` (${number})`;
  const room = FILE_NAME_MAX - codePoints(mark) - codePoints(suffix);
  if (room < 1) return [...name].slice(0, FILE_NAME_MAX - codePoints(mark)).join("") + mark;
  return [...stem].slice(0, room).join("") + mark + suffix;
}
