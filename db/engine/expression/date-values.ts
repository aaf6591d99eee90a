/** What the date operators take: dates, zones, units of time, days of the week. */
import { fail } from "../values/errors.ts";
import { ObjectId, Timestamp, typeName, UtcDate, type Value } from "../values/values.ts";
import { type Expression, nullish, type Result, type Scope } from "./env.ts";
import { UTC, type Zone, zoneOf } from "./timezone.ts";

/** Dates, and what carries a time in it: object ids and timestamps. Milliseconds, or undefined. */
export function asDate(value: Value): bigint | undefined {
  if (value instanceof UtcDate) return value.ms;
  if (value instanceof ObjectId) return BigInt(value.bytes.readUInt32BE(0)) * 1000n;
  if (value instanceof Timestamp) return (value.value >> 32n) * 1000n;
  return undefined;
}

export function coerceToDate(value: Value): bigint {
  return asDate(value) ?? fail(16006, `can't convert from BSON type ${typeName(value)} to Date`);
}

/** The zone that an operator's `timezone` names; null where it evaluates to nothing. */
export function zoneReader(timezone: Expression | undefined, code = 40517): (scope: Scope) => Zone | null {
  if (!timezone) return () => UTC;
  return (scope) => {
    const name: Result = timezone(scope);
    if (nullish(name)) return null;
    if (typeof name !== "string") fail(code, `timezone must evaluate to a string, found ${typeName(name)}`);
    return zoneOf(name);
  };
}

export const UNITS = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
] as const;
export type Unit = (typeof UNITS)[number];

export function parseUnit(value: Value, name: string): Unit {
  if (typeof value !== "string")
    fail(5439013, `${name} requires 'unit' to be a string, but got ${typeName(value)}`);
  const unit = UNITS.find((known) => known === value);
  return unit ?? fail(9, `${name} parameter 'unit' value parsing failed: unknown time unit value: ${value}`);
}

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** 1 for Monday to 7 for Sunday; three letters are enough. */
export function parseWeekday(value: Value, name: string): number {
  if (typeof value !== "string")
    fail(5439015, `${name} requires 'startOfWeek' to be a string, but got ${typeName(value)}`);
  const text = value.toLowerCase();
  const index = WEEKDAYS.findIndex((day) => day === text || day.slice(0, 3) === text);
  if (index < 0)
    fail(5439016, `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${value}`);
  return index + 1;
}
