/**
 * Sums, differences and products. An int32 result that does not fit becomes an int64, an int64 result that
 * does not fit becomes a double; one double makes everything double. A date takes part as milliseconds.
 */
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
  type Value,
} from "../values/values.ts";
import { nullish, type Result } from "./env.ts";
import { checkedInt64, intOrLong, roundToInt64, truncateToInt64 } from "./numbers.ts";

/** Integers are kept as a JavaScript number while that is exact, then as a bigint. */
type Total =
  | { kind: "int"; value: number }
  | { kind: "long"; value: bigint }
  | { kind: "double"; value: number };

function finish(total: Total): NumberValue {
  if (total.kind === "int") return fitsInt32(total.value) ? new Int32(total.value) : BigInt(total.value);
  return total.value;
}

function plus(total: Total, value: number | bigint | Int32): Total {
  if (typeof value === "number") return { kind: "double", value: Number(total.value) + value };
  if (total.kind === "double") return { kind: "double", value: total.value + toNumber(value) };
  if (value instanceof Int32 && total.kind === "int")
    return { kind: "int", value: total.value + value.value };
  const sum = BigInt(total.value) + (value instanceof Int32 ? BigInt(value.value) : (value as bigint));
  if (fitsInt64(sum)) return { kind: "long", value: sum };
  return { kind: "double", value: Number(total.value) + toNumber(value) };
}

/** Parts of a millisecond are rounded. */
function milliseconds(value: NumberValue): bigint {
  return (
    (typeof value === "number" ? roundToInt64(value) : truncateToInt64(value)) ?? fail(15, "date overflow")
  );
}

function plusDate(ms: bigint, value: NumberValue): bigint {
  return checkedInt64(ms + milliseconds(value), 15, "date overflow");
}

export function add(values: Result[]): Result {
  let total: Total = { kind: "int", value: 0 };
  let date: bigint | undefined;
  for (const value of values) {
    if (nullish(value)) return null;
    if (value instanceof UtcDate) {
      if (date !== undefined) fail(16612, "only one date allowed in an $add expression");
      date = plusDate(value.ms, finish(total));
    } else if (!isNumber(value)) {
      fail(14, `$add only supports numeric or date types, not ${typeName(value)}`);
    } else if (date !== undefined) date = plusDate(date, value);
    else total = plus(total, value);
  }
  return date === undefined ? finish(total) : new UtcDate(date);
}

function subtractFromDate(left: UtcDate, right: Value): Value {
  if (right instanceof UtcDate) return left.ms - right.ms;
  if (!isNumber(right)) fail(14, `can't $subtract ${typeName(right)} from Date`);
  return new UtcDate(checkedInt64(left.ms - milliseconds(right), 15, "date overflow"));
}

export function subtract(left: Result, right: Result): Result {
  if (isNumber(left) && isNumber(right)) {
    if (left instanceof Int32 && right instanceof Int32)
      return finish({ kind: "int", value: left.value - right.value });
    if (typeof left === "number" || typeof right === "number") return toNumber(left) - toNumber(right);
    const difference = truncateToInt64(left) - truncateToInt64(right);
    return fitsInt64(difference) ? difference : toNumber(left) - toNumber(right);
  }
  if (nullish(left) || nullish(right)) return null;
  if (left instanceof UtcDate) return subtractFromDate(left, right);
  fail(14, `can't $subtract ${typeName(right)} from ${typeName(left)}`);
}

export function multiply(values: Result[]): Result {
  let product = 1;
  let exact: bigint | undefined = 1n;
  let isLong = false;
  for (const value of values) {
    if (nullish(value)) return null;
    if (!isNumber(value)) fail(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    product *= toNumber(value);
    if (typeof value === "number") exact = undefined;
    else if (exact !== undefined) {
      isLong ||= typeof value === "bigint";
      exact *= truncateToInt64(value);
      if (!fitsInt64(exact)) exact = undefined;
    }
  }
  if (exact === undefined) return product;
  return isLong ? exact : intOrLong(exact);
}
