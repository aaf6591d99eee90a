/**
 * Adding, comparing and rounding dates. Days and longer units follow the calendar and clock of the zone:
 * a day may have 23 hours, and a month later than 31 January is the end of February. Shorter units are
 * exact spans of time.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { typeName, UtcDate, type Value } from "../values/values.ts";
import { civilDate, daysInMonth, daysOf, floorDivide, isoDayOfWeek } from "./calendar.ts";
import { asDate, parseUnit, parseWeekday, type Unit, zoneReader } from "./date-values.ts";
import { type Compiler, namedArguments, nullish, type OperatorTable } from "./env.ts";
import { asInt64, checkedInt64, show } from "./numbers.ts";
import { type LocalTime, localTime, momentOf, type Zone } from "./timezone.ts";

const DAY_MS = 86_400_000n;
const SPANS_MS: Partial<Record<Unit, bigint>> = {
  hour: 3_600_000n,
  minute: 60_000n,
  second: 1000n,
  millisecond: 1n,
};
const MONTHS: Partial<Record<Unit, number>> = { year: 12, quarter: 3, month: 1 };

/** Beyond these no date can come out, whatever the start. */
const MAX_DAYS = 213_503_982_335n;
const MAX_YEARS = MAX_DAYS / 365n + 1n;
const MAX_AMOUNTS: Partial<Record<Unit, bigint>> = {
  year: MAX_YEARS,
  quarter: MAX_YEARS * 4n,
  month: MAX_YEARS * 12n,
  week: MAX_DAYS / 7n,
  day: MAX_DAYS,
  hour: MAX_DAYS * 24n,
  minute: MAX_DAYS * 24n * 60n,
  second: MAX_DAYS * 24n * 3600n,
};

function timeOfDayMs({ hour, minute, second, millisecond }: LocalTime): bigint {
  return BigInt(((hour * 60 + minute) * 60 + second) * 1000 + millisecond);
}

/** The same day of another month, or its last day. */
function addMonths(days: number, months: number): number {
  const { year, month, day } = civilDate(days);
  return daysOf(year, month + months, Math.min(day, daysInMonth(year, month + months)));
}

function dateAdd(ms: bigint, unit: Unit, amount: bigint, zone: Zone): bigint {
  const most = MAX_AMOUNTS[unit];
  if (most !== undefined && (amount >= most || amount <= -most))
    fail(5976500, `invalid dateAdd 'amount' parameter value: ${amount} ${unit}`);
  const overflow = "dateAdd overflowed";
  const span = SPANS_MS[unit];
  if (span !== undefined) return checkedInt64(ms + amount * span, 5166406, overflow);
  const local = localTime(ms, zone);
  const months = MONTHS[unit];
  const days =
    months === undefined
      ? local.days + Number(amount) * (unit === "week" ? 7 : 1)
      : addMonths(local.days, Number(amount) * months);
  const target = checkedInt64(BigInt(days) * DAY_MS + timeOfDayMs(local), 5166406, overflow);
  return checkedInt64(momentOf(target, zone), 5166406, overflow);
}

const ADD_CODES = {
  object: 5166400,
  unknown: 5166401,
  required: { startDate: 5166402, unit: 5166402, amount: 5166402 },
  optional: ["timezone"],
};

function dateArithmetic(sign: 1n | -1n): Compiler {
  return (argument, env, name) => {
    const given = namedArguments(argument, name, ADD_CODES);
    const [start, unit, amount] = env.compileThree([given.startDate, given.unit, given.amount]);
    const timezone = env.compileIfGiven(given.timezone);
    const zoneAt = zoneReader(timezone);
    return env.fold(
      (scope) => {
        const from = start(scope);
        if (nullish(from)) return null;
        const unitValue = unit(scope);
        if (nullish(unitValue)) return null;
        const parsedUnit = parseUnit(unitValue, name);
        const amountValue = amount(scope);
        if (nullish(amountValue)) return null;
        const zone = zoneAt(scope);
        if (!zone) return null;
        const ms = asDate(from) ?? fail(5166403, `${name} requires startDate to be convertible to a date`);
        const count = asInt64(amountValue) ?? fail(5166405, `${name} expects integer amount of time units`);
        if (sign < 0n && count === -(2n ** 63n))
          fail(6045000, `invalid ${name} 'amount' parameter value: ${count}`);
        return new UtcDate(dateAdd(ms, parsedUnit, sign * count, zone));
      },
      [start, unit, amount, timezone],
    );
  };
}

function monthNumber(days: number): number {
  const { year, month } = civilDate(days);
  return year * 12 + month - 1;
}

/** Of a week that starts on the given day; the same number for all its days. */
function weekNumber(days: number, startOfWeek: number): number {
  const firstDay = days - ((isoDayOfWeek(days) - startOfWeek + 7) % 7);
  return (firstDay - startOfWeek + 4) / 7;
}

/** How many borders of the unit's calendar lie before a day. */
const CALENDAR: Partial<Record<Unit, (days: number, startOfWeek: number) => number>> = {
  year: (days) => Math.floor(monthNumber(days) / 12),
  quarter: (days) => Math.floor(monthNumber(days) / 3),
  month: monthNumber,
  week: weekNumber,
  day: (days) => days,
};

/** Whole units of the clock since 1970, on the clock of the zone but without its changes. */
function clockUnits(ms: bigint, span: bigint, zone: Zone): { count: bigint; offset: bigint } {
  const local = localTime(ms, zone);
  const shown = BigInt(local.days) * DAY_MS + timeOfDayMs(local);
  return { count: floorDivide(shown, span), offset: BigInt(local.offset) * 1000n };
}

function dateDiff(start: bigint, end: bigint, unit: Unit, zone: Zone, startOfWeek: number): bigint {
  if (unit === "millisecond") return checkedInt64(end - start, 5166308, "dateDiff overflowed");
  const calendar = CALENDAR[unit];
  if (calendar) {
    const count = (ms: bigint) => calendar(localTime(ms, zone).days, startOfWeek);
    const from = count(start);
    return BigInt(count(end) - from);
  }
  const span = present(SPANS_MS[unit]);
  const from = clockUnits(start, span, zone);
  const to = clockUnits(end, span, zone);
  return to.count - from.count + (from.offset - to.offset) / span;
}

const DIFF_CODES = {
  object: 5166301,
  unknown: 5166302,
  required: { startDate: 5166303, endDate: 5166304, unit: 5166305 },
  optional: ["timezone", "startOfWeek"],
};

function dateOperand(value: Value, field: string, name: string, code: number): bigint {
  return asDate(value) ?? fail(code, `${name} requires '${field}' to be a date, but got ${typeName(value)}`);
}

const dateDiffOperator: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, DIFF_CODES);
  const [start, end, unit] = env.compileThree([given.startDate, given.endDate, given.unit]);
  const timezone = env.compileIfGiven(given.timezone);
  const weekStart = env.compileIfGiven(given.startOfWeek);
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const from = start(scope);
      if (nullish(from)) return null;
      const to = end(scope);
      if (nullish(to)) return null;
      const unitValue = unit(scope);
      if (nullish(unitValue)) return null;
      const parsedUnit = parseUnit(unitValue, name);
      const weekday = parsedUnit === "week" && weekStart ? weekStart(scope) : "sunday";
      if (nullish(weekday)) return null;
      const startOfWeek = parseWeekday(weekday, name);
      const zone = zoneAt(scope);
      if (!zone) return null;
      const fromMs = dateOperand(from, "startDate", name, 5166307);
      return dateDiff(fromMs, dateOperand(to, "endDate", name, 5166307), parsedUnit, zone, startOfWeek);
    },
    [start, end, unit, timezone, weekStart],
  );
};

const TRUNC_CODES = {
  object: 5439007,
  unknown: 5439008,
  required: { date: 5439009, unit: 5439010 },
  optional: ["binSize", "timezone", "startOfWeek"],
};
const MAX_CALENDAR_BINS = 100_000_000_000n;
/** Bins are counted from 2000-01-01, a Saturday, or from the first start of a week after it. */
const REFERENCE_DAYS = 10_957;

function binSizeOf(value: Value): bigint {
  const size =
    asInt64(value) ??
    fail(5439017, `$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '${show(value)}'`);
  return size > 0n
    ? size
    : fail(5439018, `$dateTrunc requires 'binSize' to be greater than 0, but got value ${size}`);
}

function belowBin(value: bigint, size: bigint): bigint {
  const rest = value % size;
  return rest < 0n ? rest + size : rest;
}

function dateTrunc(ms: bigint, unit: Unit, size: bigint, zone: Zone, startOfWeek: number): bigint {
  const overflow = "dateTrunc overflowed";
  const reference = momentOf(BigInt(REFERENCE_DAYS) * DAY_MS, zone);
  const span = SPANS_MS[unit];
  if (span !== undefined) {
    const bin = checkedInt64(size * span, 5439002, overflow);
    const shifted = checkedInt64(ms - reference, 5439000, overflow);
    return checkedInt64(ms - belowBin(shifted, bin), 5439001, overflow);
  }
  if (size > MAX_CALENDAR_BINS) fail(5439006, "dateTrunc unsupported binSize value");
  const weekShift = unit === "week" ? (startOfWeek - isoDayOfWeek(REFERENCE_DAYS) + 7) % 7 : 0;
  const calendar = present(CALENDAR[unit]);
  const origin = calendar(REFERENCE_DAYS + weekShift, startOfWeek);
  const distance = BigInt(calendar(localTime(ms, zone).days, startOfWeek) - origin);
  const start = momentOf(BigInt(REFERENCE_DAYS + weekShift) * DAY_MS, zone);
  return dateAdd(start, unit, distance - belowBin(distance, size), zone);
}

const dateTruncOperator: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, TRUNC_CODES);
  const date = env.compile(present(given.date));
  const unit = env.compile(present(given.unit));
  const [binSize, timezone, weekStart] = [given.binSize, given.timezone, given.startOfWeek].map((item) =>
    env.compileIfGiven(item),
  );
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const value = date(scope);
      if (nullish(value)) return null;
      const size = binSize ? binSize(scope) : 1n;
      if (nullish(size)) return null;
      const bins = binSizeOf(size);
      const unitValue = unit(scope);
      if (nullish(unitValue)) return null;
      const parsedUnit = parseUnit(unitValue, name);
      const weekday = parsedUnit === "week" && weekStart ? weekStart(scope) : "sunday";
      if (nullish(weekday)) return null;
      const startOfWeek = parseWeekday(weekday, name);
      const zone = zoneAt(scope);
      if (!zone) return null;
      return new UtcDate(
        dateTrunc(dateOperand(value, "date", name, 5439012), parsedUnit, bins, zone, startOfWeek),
      );
    },
    [date, unit, binSize, timezone, weekStart],
  );
};

export const DATE_ARITHMETIC_EXPRESSIONS: OperatorTable = {
  $dateAdd: dateArithmetic(1n),
  $dateDiff: dateDiffOperator,
  $dateSubtract: dateArithmetic(-1n),
  $dateTrunc: dateTruncOperator,
};
