import { MINUTE_MS } from "#domain/time/durations.ts";
/**
 * A reminder is pending until it is acknowledged; setting it or snoozing it makes it pending again, at another moment. It is
 * due when its moment has been reached and it is still pending.
 */
export const REMINDER_STATUSES = ["pending", "acknowledged"] as const;
export type ReminderStatus = (typeof REMINDER_STATUSES)[number];

export const SNOOZE_MIN_MINUTES = 1;
export const SNOOZE_MAX_MINUTES = 1440;
export const SNOOZE_DEFAULT_MINUTES = 60;
const BADGE_REFRESH_SECONDS = 300;
const PREVIEW_WORDS = 6;
export const DUE_LIMIT = 20;
export const DUE_LIMIT_MAX = 50;

/** The moment to which a reminder is put off, counted from now. */
export function snoozedMoment(minutes: number, now: Date): Date {
  return new Date(now.getTime() + minutes * MINUTE_MS);
}

export type ReminderSummary = { has_due: boolean; count_due: number; next_in_seconds: number | null };

/**
 * How long a client may sleep: until the next reminder, and while a badge is on its screen no longer than the badge may be
 * wrong. Null where there is nothing to wait for; the client then has a ceiling of its own.
 */
export function summarizeReminders(countDue: number, next: Date | null, now: Date): ReminderSummary {
  const untilNext = next && Math.max(0, Math.ceil((next.getTime() - now.getTime()) / 1000));
  const has_due = countDue > 0;
  const next_in_seconds = has_due
    ? Math.min(BADGE_REFRESH_SECONDS, untilNext ?? BADGE_REFRESH_SECONDS)
    : untilNext;
  return { has_due, count_due: countDue, next_in_seconds };
}

/** How much of a note is read for its preview: nobody has six words longer than this. */
const PREVIEW_READ = 1_000;

/** The first words of a note, with "…" where more follow. */
export function writePreview(content: string): string {
  const words = content
    .slice(0, PREVIEW_READ)
    .split(/\p{White_Space}+/u)
    .filter(Boolean);
  const shown = words.slice(0, PREVIEW_WORDS).join(" ").toWellFormed();
  const goesOn = words.length > PREVIEW_WORDS || content.slice(PREVIEW_READ).trim() !== "";
  return goesOn ? `${shown}…` : shown;
}
