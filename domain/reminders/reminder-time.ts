import { Temporal } from "temporal-polyfill";
import { Refusal } from "../refusal.ts";

/**
 * When a reminder fires. Hours and weeks are exact durations; a time of day is one on the wall of a time zone: inside the gap
 * of a daylight-saving change it moves forward by the gap, and of two that read the same it is the earlier.
 */
export const REMINDER_PRESETS = ["1h", "3h", "24h", "1w", "today-21", "tomorrow-09"] as const;
type ReminderPreset = (typeof REMINDER_PRESETS)[number];

const DEFAULT_TIME_ZONE = "UTC";
/** The zones to offer; any other name of the time-zone database is understood too. */
export const TIME_ZONES: readonly string[] = [DEFAULT_TIME_ZONE, ...Intl.supportedValuesOf("timeZone")];

type Rule = (now: Temporal.ZonedDateTime) => Temporal.ZonedDateTime;

const PRESET_RULES: Record<ReminderPreset, Rule> = {
  "1h": (now) => now.add({ hours: 1 }),
  "3h": (now) => now.add({ hours: 3 }),
  "24h": (now) => now.add({ hours: 24 }),
  "1w": (now) => now.add({ hours: 7 * 24 }),
  "today-21": (now) => {
    const today = wallTime(now, 0, 21);
    return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : wallTime(now, 1, 21);
  },
  "tomorrow-09": (now) => wallTime(now, 1, 9),
};

function wallTime(now: Temporal.ZonedDateTime, daysAhead: number, hour: number): Temporal.ZonedDateTime {
  return now
    .toPlainDate()
    .add({ days: daysAhead })
    .toPlainDateTime({ hour })
    .toZonedDateTime(now.timeZoneId, { disambiguation: "compatible" });
}

/** Whether it names a zone of the time-zone database; a bare offset is no zone, for it knows no daylight saving. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== "string" || !/^[a-z]/i.test(value) || value.length > 64) return false;
  try {
    zoned(new Date(0), value);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const zoned = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);

const toMoment = (time: Temporal.ZonedDateTime) => new Date(time.epochMilliseconds);

export function presetMoment(preset: ReminderPreset, zone: string, now: Date): Date {
  return toMoment(PRESET_RULES[preset](zoned(now, zone)));
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** The moment a wall clock of the zone shows `YYYY-MM-DDTHH:MM`, or null where that is no date and time. */
export function localMoment(at: string, zone: string): Date | null {
  if (!LOCAL_TIME.test(at)) return null;
  try {
    const wall = Temporal.PlainDateTime.from(at, { overflow: "reject" });
    return toMoment(wall.toZonedDateTime(zone, { disambiguation: "compatible" }));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** How many calendar days of the zone lie between now and a moment: 0 today, 1 tomorrow. */
export function daysAhead(moment: Date, zone: string, now: Date): number {
  const today = zoned(now, zone).toPlainDate();
  return today.until(zoned(moment, zone).toPlainDate(), { largestUnit: "day" }).days;
}

type ReminderTime = { preset?: ReminderPreset | null; at?: string | null; tz?: string | null };

/** The requested moment: a preset or a local time, in the zone given, else in the person's own. */
export function reminderMoment(
  { preset, at, tz }: ReminderTime,
  ownZone: string | null,
  now: Date,
): Date | Refusal {
  const zone = tz ?? chooseZone(ownZone);
  if (preset) return presetMoment(preset, zone, now);
  const moment = localMoment(at ?? "", zone);
  if (!moment) return Refusal("invalid_time");
  return moment > now ? moment : Refusal("time_not_in_future");
}

/** A person's own zone; one that is not known (any more) is as good as none. */
export function chooseZone(ownZone: string | null | undefined): string {
  return isTimeZone(ownZone) ? ownZone : DEFAULT_TIME_ZONE;
}
