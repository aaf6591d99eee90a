import { Temporal } from "temporal-polyfill";
import { Refusal } from "../refusal.ts";

/**
 * The times of reminders. Hours and weeks are exact durations; a time of day is wall-clock time in a time zone. In the gap of a
 * daylight-saving change it moves forward by the gap; of two equal wall times it is the earlier.
 */
export const REMINDER_PRESETS = ["1h", "3h", "24h", "1w", "today-21", "tomorrow-09"] as const;
type ReminderPreset = (typeof REMINDER_PRESETS)[number];

const DEFAULT_TIME_ZONE = "UTC";
/** The zones offered in forms; all other names of the time-zone database are accepted too. */
export const TIME_ZONES: readonly string[] = [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf("timeZone")];

type Rule = (now: Temporal.ZonedDateTime) => Temporal.ZonedDateTime;

const PRESET_RULES: Record<ReminderPreset, Rule> = {
  "1h": (now) => now.add({ hours: 1 }),
  "3h": (now) => now.add({ hours: 3 }),
  "24h": (now) => now.add({ hours: 24 }),
  "1w": (now) => now.add({ hours: 7 * 24 }),
  "today-21": (now) => {
    const today = toWallTime(now, 0, 21);
    return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : toWallTime(now, 1, 21);
  },
  "tomorrow-09": (now) => toWallTime(now, 1, 9),
};

function toWallTime(now: Temporal.ZonedDateTime, daysAhead: number, hour: number): Temporal.ZonedDateTime {
  return now
    .toPlainDate()
    .add({ days: daysAhead })
    .toPlainDateTime({ hour })
    .toZonedDateTime(now.timeZoneId, { disambiguation: "compatible" });
}

/** True for a zone of the time-zone database. A bare offset is no zone because it has no daylight saving. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== "string" || !/^[a-z]/i.test(value) || value.length > 64) return false;
  try {
    toZoned(new Date(0), value);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const toZoned = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);

const toMoment = (time: Temporal.ZonedDateTime) => new Date(time.epochMilliseconds);

export function presetMoment(preset: ReminderPreset, zone: string, now: Date): Date {
  return toMoment(PRESET_RULES[preset](toZoned(now, zone)));
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Returns the moment when a wall clock of the zone shows `YYYY-MM-DDTHH:MM`; null for invalid dates and times. */
export function parseLocalTime(text: string, zone: string): Date | null {
  if (!LOCAL_TIME.test(text)) return null;
  try {
    const wall = Temporal.PlainDateTime.from(text, { overflow: "reject" });
    return toMoment(wall.toZonedDateTime(zone, { disambiguation: "compatible" }));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function localTime(moment: Date, zone: string): string {
  return toZoned(moment, zone).toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Counts the calendar days in the zone from now to a moment: 0 is today, 1 tomorrow. */
export function daysAhead(moment: Date, zone: string, now: Date): number {
  const today = toZoned(now, zone).toPlainDate();
  return today.until(toZoned(moment, zone).toPlainDate(), { largestUnit: "day" }).days;
}

type ReminderTime = { preset?: ReminderPreset | null; at?: string | null; tz?: string | null };

/** Returns the requested moment: a preset or a local time, in the given zone or otherwise the person's own. */
export function reminderMoment(
  { preset, at, tz }: ReminderTime,
  ownZone: string | null,
  now: Date,
): Date | Refusal {
  const zone = tz ?? chooseZone(ownZone);
  if (preset) return presetMoment(preset, zone, now);
  const moment = parseLocalTime(at ?? "", zone);
  if (!moment) return Refusal("invalid_time");
  return moment > now ? moment : Refusal("time_not_in_future");
}

/** Returns the default for a missing or unknown zone. */
export function chooseZone(ownZone: string | null | undefined): string {
  return isTimeZone(ownZone) ? ownZone : DEFAULT_TIME_ZONE;
}
