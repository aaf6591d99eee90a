import { fail } from "../values/errors.ts";
import { count, Int32, isNumber, typeName, UtcDate, type Value } from "../values/values.ts";
import { fixed, nullish, type OperatorTable, type Result, unary } from "./env.ts";
import { asInt32, show, sixDigits } from "./numbers.ts";

/** The text that string operators make of other types by themselves. */
function coerceToText(value: Result): string {
  if (typeof value === "string") return value;
  if (nullish(value)) return "";
  if (typeof value === "number") return sixDigits(value);
  if (value instanceof Int32) return String(value.value);
  if (isNumber(value)) return String(value);
  if (value instanceof UtcDate) return isoText(value);
  fail(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

function isoText({ ms }: UtcDate): string {
  const date = new Date(Number(ms));
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9999) return date.toISOString();
  fail(18537, `Could not convert date to string: date component was outside the supported range of 0-9999`);
}

function byteLength(value: Result): Value {
  if (typeof value === "string") return count(Buffer.byteLength(value));
  fail(34473, `$strLenBytes requires a string argument, found: ${typeName(value)}`);
}

function codePointNumber(value: Result, which: string, notNumber: number): number {
  if (!isNumber(value))
    fail(notNumber, `$substrCP: ${which} must be a numeric type (is BSON type ${typeName(value)})`);
  return (
    asInt32(value) ??
    fail(
      notNumber + 1,
      `$substrCP: ${which} cannot be represented as a 32-bit integral value: ${show(value)}`,
    )
  );
}

function substrCP([input, from, size]: Result[]): Result {
  const text = coerceToText(input);
  const start = codePointNumber(from, "starting index", 34450);
  const length = codePointNumber(size, "length", 34452);
  if (length < 0) fail(34454, "$substrCP: length must be a nonnegative integer.");
  if (start < 0) fail(34455, "$substrCP: the starting index must be nonnegative integer.");
  return [...text].slice(start, start + length).join("");
}

export const STRING_EXPRESSIONS: OperatorTable = {
  $strLenBytes: unary(byteLength),
  $substrCP: fixed(3, substrCP),
};
