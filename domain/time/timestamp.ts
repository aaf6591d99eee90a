import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
/** ISO 8601 in UTC with milliseconds and an explicit offset: `2026-11-14T09:00:00.000+00:00`. */
export function toTimestamp(moment: Date): string {
  return moment.toISOString().replace("Z", "+00:00");
}

export function toTimestampOrNull(moment: Date | null | undefined): string | null {
  return moment ? toTimestamp(moment) : null;
}

/** The record as clients see it: every moment directly in it is a timestamp. */
export function writeTimestamps<Fields extends object>(record: Fields) {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    value instanceof Date ? toTimestamp(value) : value,
  ]);
  // The type of `fromEntries` loses the names of the fields.
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Timestamped<Fields[Name]> };
}

type Timestamped<Value> = Value extends Date ? string : Value;

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i;

/** Parses ISO 8601 to the millisecond; a text without an offset is in UTC. Returns null for all other values. */
export function parseTimestamp(text: unknown): Date | null {
  const parts = typeof text === "string" ? MOMENT.exec(text) : null;
  if (!parts) return null;
  const [, date, time = "00:00", seconds = "00", fraction = "", sign, hours = "0", minutes = "0"] = parts;
  const local = new Date(`${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  // Refuses dates such as the 30th of February, which the engine reads as the 2nd of March.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== date) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  if (offsetMs >= DAY_MS || Number(minutes) > 59) return null;
  return new Date(local.getTime() - (sign === "-" ? -offsetMs : offsetMs));
}

const WITH_TIME_AND_OFFSET = /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Like `parseTimestamp`, but the text must have a time and an offset. */
export function parseExactTimestamp(text: unknown): Date | null {
  return typeof text === "string" && WITH_TIME_AND_OFFSET.test(text) ? parseTimestamp(text) : null;
}
