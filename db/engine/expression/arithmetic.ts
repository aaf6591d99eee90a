/**
 * Sums, quotients and whole parts. An int32 result that does not fit becomes an int64, an int64 result that
 * does not fit becomes a double; one double makes everything double. A date takes part as milliseconds.
 */
import { Sum } from "../aggregate/accumulators.ts";
import { fail } from "../values/errors.ts";
import {
  fitsInt32,
  fitsInt64,
  Int32,
  isNumber,
  type NumberValue,
  toNumber,
  typeName,
  UtcDate,
} from "../values/values.ts";
import { binary, createVariadicOperator, isNullish, type OperatorTable, type Result, unary } from "./env.ts";

/** Integers are kept as a JavaScript number while that is exact, then as a bigint. */
type Total =
  | { kind: "int"; value: number }
  | { kind: "long"; value: bigint }
  | { kind: "double"; value: number };

function toNumberValue(total: Total): NumberValue {
  if (total.kind === "int") return fitsInt32(total.value) ? new Int32(total.value) : BigInt(total.value);
  return total.value;
}

function addToTotal(total: Total, value: number | bigint | Int32): Total {
  if (typeof value === "number") return { kind: "double", value: Number(total.value) + value };
  if (total.kind === "double") return { kind: "double", value: total.value + toNumber(value) };
  if (value instanceof Int32 && total.kind === "int")
    return { kind: "int", value: total.value + value.value };
  const sum = BigInt(total.value) + (value instanceof Int32 ? BigInt(value.value) : (value as bigint));
  if (fitsInt64(sum)) return { kind: "long", value: sum };
  return { kind: "double", value: Number(total.value) + toNumber(value) };
}

/** Parts of a millisecond are rounded, halves away from zero. */
function addToDate(ms: bigint, value: NumberValue): bigint {
  if (!Number.isFinite(toNumber(value))) fail(15, "date overflow");
  const sum =
    typeof value === "number"
      ? ms + BigInt(Math.sign(value) * Math.round(Math.abs(value)))
      : ms + (value instanceof Int32 ? BigInt(value.value) : value);
  return fitsInt64(sum) ? sum : fail(15, "date overflow");
}

function addValues(values: Result[]): Result {
  let total: Total = { kind: "int", value: 0 };
  let date: bigint | undefined;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof UtcDate) {
      if (date !== undefined) fail(16612, "only one date allowed in an $add expression");
      date = addToDate(value.ms, toNumberValue(total));
    } else if (!isNumber(value)) {
      fail(14, `$add only supports numeric or date types, not ${typeName(value)}`);
    } else if (date !== undefined) date = addToDate(date, value);
    else total = addToTotal(total, value);
  }
  return date === undefined ? toNumberValue(total) : new UtcDate(date);
}

function divide(left: Result, right: Result): Result {
  if (isNumber(left) && isNumber(right)) {
    const divisor = toNumber(right);
    if (divisor === 0) fail(2, "can't $divide by zero");
    return toNumber(left) / divisor;
  }
  if (isNullish(left) || isNullish(right)) return null;
  fail(14, `$divide only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
}

function floor(value: Result): Result {
  if (isNumber(value)) return typeof value === "number" ? Math.floor(value) : value;
  if (isNullish(value)) return null;
  fail(28765, `$floor only supports numeric types, not ${typeName(value)}`);
}

/** Sums the elements of one array, or several arguments; values that are no numbers are skipped. */
function sum(values: Result[]): Result {
  const total = new Sum();
  const [only] = values;
  const summands: Result[] = values.length === 1 && Array.isArray(only) ? only : values;
  for (const value of summands) total.add(value);
  return total.getResult();
}

export const ARITHMETIC_EXPRESSIONS: OperatorTable = {
  $add: createVariadicOperator(addValues),
  $divide: binary(divide),
  $floor: unary(floor),
  $sum: createVariadicOperator(sum),
};
