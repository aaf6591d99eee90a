import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { codePoints } from "#domain/text/text.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

/** Deleted files stay in the trash for a time; their names may need a number on return. */
export const TRASH_DAYS = 30;

export function trashExpiry(deletedAt: Date, days = TRASH_DAYS): Date {
  return new Date(deletedAt.getTime() + days * DAY_MS);
}

/** Files in the trash longer than this past their date are overdue. The TTL index is swept about once a minute, and a large sweep takes longer. */
const SWEEP_GRACE_MS = 10 * MINUTE_MS;

/** Files with an expiry before this moment are overdue. */
export function computeOverdueLimit(now: Date): Date {
  return new Date(now.getTime() - SWEEP_GRACE_MS);
}

/**
 * Sets the expiry of a file that has none. It is at least a day ahead, because its owner was never told a date and the repair
 * must not delete the file at once.
 */
export function belatedExpiry(deletedAt: Date, now: Date): Date {
  return new Date(Math.max(trashExpiry(deletedAt).getTime(), now.getTime() + DAY_MS));
}

/** Inserts a number before the suffix: `a.py` becomes `a (2).py`. A name at its limit is cut to make room. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const mark = ` (${number})`;
  const room = FILE_NAME_MAX - codePoints(mark) - codePoints(suffix);
  if (room < 1) return [...name].slice(0, FILE_NAME_MAX - codePoints(mark)).join("") + mark;
  return [...stem].slice(0, room).join("") + mark + suffix;
}
