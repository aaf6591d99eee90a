/** Dates to text and back: $dateToString and $dateFromString. */

import { EngineError, fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { typeName, UtcDate, type Value } from "../values/values.ts";
import { DAY_SECONDS, isoText } from "./calendar.ts";
import {
  checkReadingFormat,
  checkWritingFormat,
  completeDate,
  type Found,
  formatDate,
  parseByFormat,
} from "./date-format.ts";
import { parseFreeText } from "./date-free.ts";
import { coerceToDate, zoneReader } from "./date-values.ts";
import {
  type Compiler,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  type Scope,
} from "./env.ts";
import { show } from "./numbers.ts";
import { localTime, momentOf, UTC, type Zone } from "./timezone.ts";

const CONVERSION_FAILURE = 241;
const ISO_FORMAT = "%Y-%m-%dT%H:%M:%S.%LZ";

/** The format in force: the default where none is asked for, null where it evaluates to nothing. */
function formatReader(
  format: Expression | undefined,
  check: (format: string) => void,
  code: number,
  name: string,
): (scope: Scope) => string | null | undefined {
  return (scope) => {
    if (!format) return undefined;
    const value = format(scope);
    if (nullish(value)) return null;
    if (typeof value !== "string")
      fail(
        code,
        `${name} requires that 'format' be a string, found: ${typeName(value)} with value ${show(value)}`,
      );
    check(value);
    return value;
  };
}

const TO_STRING_CODES = {
  object: 18629,
  unknown: 18534,
  required: { date: 18628 },
  optional: ["format", "timezone", "onNull"],
};

const dateToString: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, TO_STRING_CODES);
  const date = env.compile(present(given.date));
  const [format, timezone, onNull] = [given.format, given.timezone, given.onNull].map((item) =>
    env.compileIfGiven(item),
  );
  const formatAt = formatReader(format, checkWritingFormat, 18533, name);
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const value = date(scope);
      const pattern = formatAt(scope);
      const zone = zoneAt(scope);
      if (nullish(value)) return onNull ? onNull(scope) : null;
      if (!zone || pattern === null) return null;
      const ms = coerceToDate(value);
      if (pattern === undefined && zone.isUtc) return isoText(ms);
      return formatDate(pattern ?? ISO_FORMAT, localTime(ms, zone));
    },
    [date, format, timezone, onNull],
  );
};

/** A text that names its own offset must not meet a zone as well. */
function moment(text: string, found: Found, zone: Zone): bigint {
  const { days, timeMs } = completeDate(text, found);
  const local = BigInt(days) * BigInt(DAY_SECONDS) * 1000n + BigInt(timeMs);
  if (found.offset === undefined) return momentOf(local, zone);
  if (!zone.isUtc)
    fail(
      CONVERSION_FAILURE,
      "you cannot pass in a date/time string with time zone information together with a timezone argument",
    );
  return local - BigInt(found.offset) * 1000n;
}

/** The moment that a text means where no zone is asked for. */
export function dateOfText(text: string): bigint {
  return moment(text, parseFreeText(text), UTC);
}

function readDate(value: Value, format: string | null | undefined, zone: Zone | null): Result {
  if (typeof value !== "string")
    fail(
      CONVERSION_FAILURE,
      `$dateFromString requires that 'dateString' be a string, found: ${typeName(value)} with value ${show(value)}`,
    );
  if (!zone || format === null) return null;
  const found = format === undefined ? parseFreeText(value) : parseByFormat(value, format);
  return new UtcDate(moment(value, found, zone));
}

const FROM_STRING_CODES = {
  object: 40540,
  unknown: 40541,
  required: { dateString: 40542 },
  optional: ["format", "timezone", "onNull", "onError"],
};

const dateFromString: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, FROM_STRING_CODES);
  const text = env.compile(present(given.dateString));
  const [format, timezone, onNull, onError] = FROM_STRING_CODES.optional.map((field) =>
    env.compileIfGiven(given[field]),
  );
  const formatAt = formatReader(format, checkReadingFormat, 40684, name);
  const zoneAt = zoneReader(timezone);
  return env.fold(
    (scope) => {
      const value = text(scope);
      const pattern = formatAt(scope);
      const zone = zoneAt(scope);
      if (nullish(value)) return onNull ? onNull(scope) : null;
      try {
        return readDate(value, pattern, zone);
      } catch (error) {
        if (onError && error instanceof EngineError && error.code === CONVERSION_FAILURE)
          return onError(scope);
        throw error;
      }
    },
    [text, format, timezone, onNull, onError],
  );
};

export const DATE_TEXT_EXPRESSIONS: OperatorTable = {
  $dateFromString: dateFromString,
  $dateToString: dateToString,
};
