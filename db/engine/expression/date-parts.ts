/** A date taken apart and put together: $year and its like, $dateToParts, $dateFromParts. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, Int32, isDoc, typeName, UtcDate, type Value } from "../values/values.ts";
import {
  civilDate,
  DAY_SECONDS,
  dayOfYear,
  daysOf,
  daysOfIsoWeek,
  isoDayOfWeek,
  isoWeek,
  weekOfYear,
} from "./calendar.ts";
import { coerceToDate, zoneReader } from "./date-values.ts";
import {
  type Compiler,
  type Environment,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Scope,
} from "./env.ts";
import { asInt64, checkedInt64, show } from "./numbers.ts";
import { type LocalTime, localTime, momentOf } from "./timezone.ts";

/** A date operator's argument is a date, a list of one, or `{date, timezone}`. */
function dateArguments(argument: Value, name: string): { date: Value; timezone?: Value } {
  if (Array.isArray(argument)) {
    if (argument.length !== 1)
      fail(40536, `${name} accepts exactly one argument if given an array, but was given ${argument.length}`);
    return { date: present(argument[0]) };
  }
  if (!isDoc(argument) || [...argument.keys()][0]?.startsWith("$")) return { date: argument };
  for (const field of argument.keys())
    if (field !== "date" && field !== "timezone") fail(40535, `unrecognized option to ${name}: "${field}"`);
  const date = argument.get("date");
  if (date === undefined) fail(40539, `missing 'date' argument to ${name}`);
  return { date, timezone: argument.get("timezone") };
}

function part(read: (local: LocalTime) => number, asLong = false): Compiler {
  return (argument, env, name) => {
    const given = dateArguments(argument, name);
    const date = env.compile(given.date);
    const timezone = env.compileIfGiven(given.timezone);
    const zoneAt = zoneReader(timezone, 40533);
    return env.fold(
      (scope) => {
        const value = date(scope);
        if (nullish(value)) return null;
        const ms = coerceToDate(value);
        const zone = zoneAt(scope);
        if (!zone) return null;
        const number = read(localTime(ms, zone));
        return asLong ? BigInt(number) : new Int32(number);
      },
      [date, timezone],
    );
  };
}

function naturalParts(local: LocalTime): Record<string, number> {
  const { year, month, day } = civilDate(local.days);
  return { year, month, day };
}

function isoParts(local: LocalTime): Record<string, number> {
  const { year, week } = isoWeek(local.days);
  return { isoWeekYear: year, isoWeek: week, isoDayOfWeek: isoDayOfWeek(local.days) };
}

function partsDocument(local: LocalTime, isIso: boolean): Doc {
  const { hour, minute, second, millisecond } = local;
  const parts = { ...(isIso ? isoParts(local) : naturalParts(local)), hour, minute, second, millisecond };
  return new Map(Object.entries(parts).map(([name, value]) => [name, new Int32(value)]));
}

const TO_PARTS_CODES = {
  object: 40524,
  unknown: 40520,
  required: { date: 40522 },
  optional: ["timezone", "iso8601"],
};

const dateToParts: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, TO_PARTS_CODES);
  const date = env.compile(present(given.date));
  const timezone = env.compileIfGiven(given.timezone);
  const iso = env.compileIfGiven(given.iso8601);
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const value = date(scope);
      const zone = zoneAt(scope);
      if (!zone) return null;
      const isIso = iso ? iso(scope) : false;
      if (nullish(isIso)) return null;
      if (typeof isIso !== "boolean")
        fail(40521, `iso8601 must evaluate to a bool, found ${typeName(isIso)}`);
      if (nullish(value)) return null;
      return partsDocument(localTime(coerceToDate(value), zone), isIso);
    },
    [date, timezone, iso],
  );
};

interface PartRule {
  /** What stands for a part that is not given. */
  otherwise: bigint;
  least?: bigint;
  most?: bigint;
  /** The error outside the bounds. */
  code?: number;
}

const SMALL = { least: -32768n, most: 32767n, code: 31034 };
const FROM_PARTS: Readonly<Record<string, PartRule>> = {
  hour: { otherwise: 0n, ...SMALL },
  minute: { otherwise: 0n, ...SMALL },
  second: { otherwise: 0n },
  millisecond: { otherwise: 0n },
  year: { otherwise: 1970n, least: 1n, most: 9999n, code: 40523 },
  month: { otherwise: 1n, ...SMALL },
  day: { otherwise: 1n, ...SMALL },
  isoWeekYear: { otherwise: 1970n, least: 1n, most: 9999n, code: 31095 },
  isoWeek: { otherwise: 1n, ...SMALL },
  isoDayOfWeek: { otherwise: 1n, ...SMALL },
};

const FROM_PARTS_CODES = {
  object: 40519,
  unknown: 40518,
  required: {},
  optional: [...Object.keys(FROM_PARTS), "timezone"],
};

function checkMixing(given: Record<string, Value | undefined>): void {
  const has = (name: string) => given[name] !== undefined;
  if (!has("year") && !has("isoWeekYear"))
    fail(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  if (has("year") && (has("isoWeekYear") || has("isoWeek") || has("isoDayOfWeek")))
    fail(40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
  if (has("isoWeekYear") && (has("month") || has("day")))
    fail(40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
}

/** The value of one part; null where it evaluates to nothing. */
function readPart(name: string, operand: Expression | undefined, scope: Scope): bigint | null {
  const rule = present(FROM_PARTS[name]);
  if (!operand) return rule.otherwise;
  const value = operand(scope);
  if (nullish(value)) return null;
  const number =
    asInt64(value) ??
    fail(40515, `'${name}' must evaluate to an integer, found ${typeName(value)} with value ${show(value)}`);
  if (rule.code !== undefined && (number < present(rule.least) || number > present(rule.most)))
    fail(
      rule.code,
      `'${name}' must evaluate to a value in the range [${rule.least}, ${rule.most}]; value ${number} is not in range`,
    );
  return number;
}

const TIME_PARTS = ["hour", "minute", "second", "millisecond"];
const NATURAL_PARTS = ["year", "month", "day"];
const ISO_PARTS = ["isoWeekYear", "isoWeek", "isoDayOfWeek"];

const dateFromParts: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, FROM_PARTS_CODES);
  checkMixing(given);
  return compileFromParts(given, env);
};

function compileFromParts(given: Record<string, Value | undefined>, env: Environment): Expression {
  const isIso = given.isoWeekYear !== undefined;
  const names = [...TIME_PARTS, ...(isIso ? ISO_PARTS : NATURAL_PARTS)];
  const operands = names.map((name) => env.compileIfGiven(given[name]));
  const timezone = env.compileIfGiven(given.timezone);
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const numbers: bigint[] = [];
      for (let i = 0; i < names.length; i++) {
        const number = readPart(present(names[i]), operands[i], scope);
        if (number === null) return null;
        numbers.push(number);
      }
      const zone = zoneAt(scope);
      if (!zone) return null;
      const [hour = 0n, minute = 0n, second = 0n, millisecond = 0n, a, b, c] = numbers;
      checkedInt64(
        millisecond * 1000n,
        159,
        "Overflow casting from a lower-precision duration to a higher-precision duration",
      );
      const days = (isIso ? daysOfIsoWeek : daysOf)(Number(a), Number(b), Number(c));
      const seconds = BigInt(days * DAY_SECONDS) + hour * 3600n + minute * 60n + second;
      return new UtcDate(momentOf(BigInt.asIntN(64, seconds * 1000n + millisecond), zone));
    },
    [...operands, timezone],
  );
}

export const DATE_PARTS_EXPRESSIONS: OperatorTable = {
  $dateFromParts: dateFromParts,
  $dateToParts: dateToParts,
  $dayOfMonth: part(({ days }) => civilDate(days).day),
  $dayOfWeek: part(({ days }) => (isoDayOfWeek(days) % 7) + 1),
  $dayOfYear: part(({ days }) => dayOfYear(days)),
  $hour: part(({ hour }) => hour),
  $isoDayOfWeek: part(({ days }) => isoDayOfWeek(days)),
  $isoWeek: part(({ days }) => isoWeek(days).week),
  $isoWeekYear: part(({ days }) => isoWeek(days).year, true),
  $millisecond: part(({ millisecond }) => millisecond),
  $minute: part(({ minute }) => minute),
  $month: part(({ days }) => civilDate(days).month),
  $second: part(({ second }) => second),
  $week: part(({ days }) => weekOfYear(days)),
  $year: part(({ days }) => civilDate(days).year),
};
