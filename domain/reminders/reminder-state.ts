import { MINUTE_MS } from "#domain/time/durations.ts";
/**
 * A reminder is pending until it is acknowledged. Setting or snoozing it makes it pending again at another time. It is due when
 * it is pending and its time has come.
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

export function computeSnoozeEnd(minutes: number, now: Date): Date {
  return new Date(now.getTime() + minutes * MINUTE_MS);
}

export type ReminderSummary = { has_due: boolean; count_due: number; next_in_seconds: number | null };

/**
 * Computes how long a client may sleep: until the next reminder, but with a badge on its screen no longer than the badge may be
 * wrong. It is null without anything to wait for; the client then uses its own maximum.
 */
export function summarizeReminders(countDue: number, next: Date | null, now: Date): ReminderSummary {
  const untilNext = next && Math.max(0, Math.ceil((next.getTime() - now.getTime()) / 1000));
  const has_due = countDue > 0;
  const next_in_seconds = has_due
    ? Math.min(BADGE_REFRESH_SECONDS, untilNext ?? BADGE_REFRESH_SECONDS)
    : untilNext;
  return { has_due, count_due: countDue, next_in_seconds };
}

/** The part of a note that is read for its preview; six words fit into it. */
const PREVIEW_SOURCE_MAX = 1_000;

export function toPreview(content: string): string {
  const words = content
    .slice(0, PREVIEW_SOURCE_MAX)
    .split(/\p{White_Space}+/u)
    .filter(Boolean);
  const preview = words.slice(0, PREVIEW_WORDS).join(" ").toWellFormed();
  const isCut = words.length > PREVIEW_WORDS || content.slice(PREVIEW_SOURCE_MAX).trim() !== "";
  return isCut ? `${preview}…` : preview;
}
