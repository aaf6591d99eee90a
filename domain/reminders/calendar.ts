import { DAY_MS } from "#domain/time/durations.ts";

/** A calendar of daily counts as columns of weeks, Sunday first, ending with the current week. Days are days of UTC. */
const CALENDAR_WEEKS = 26;

export type CalendarDay = { day: string; count: number; level: 0 | 1 | 2 | 3 | 4 };

export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function calendarStart(now: Date, weeks = CALENDAR_WEEKS): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return new Date(midnight - (now.getUTCDay() + (weeks - 1) * 7) * DAY_MS);
}

export function buildCalendar(
  counts: ReadonlyMap<string, number>,
  now: Date,
  weeks = CALENDAR_WEEKS,
): CalendarDay[][] {
  const start = calendarStart(now, weeks).getTime();
  const most = Math.max(0, ...counts.values());
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => new Date(start + (week * 7 + weekday) * DAY_MS))
      .filter((moment) => moment <= now)
      .map((moment) => {
        const day = toDay(moment);
        const count = counts.get(day) ?? 0;
        return { day, count, level: chooseLevel(count, most) };
      }),
  );
}

/** Levels 1 to 4 scale to the busiest day; level 0 means no activity. */
function chooseLevel(count: number, most: number): CalendarDay["level"] {
  // A whole number from 1 to 4, because no count exceeds the greatest.
  return count === 0 ? 0 : (Math.ceil((count / most) * 4) as CalendarDay["level"]);
}
