import { fail } from "../values/errors.ts";
import { count, isNumber, typeName, type Value } from "../values/values.ts";
import { compareResults } from "./comparison.ts";
import { binary, nullish, type OperatorTable, type Result, ranged, unary, variadic } from "./env.ts";
import { asInt32, show } from "./numbers.ts";

const MAX_ITEMS = 10_000_000;

function concatArrays(values: Result[]): Result {
  const out: Value[] = [];
  for (const value of values) {
    if (nullish(value)) return null;
    if (!Array.isArray(value)) fail(28664, `$concatArrays only supports arrays, not ${typeName(value)}`);
    if (out.length + value.length > MAX_ITEMS)
      fail(146, `$concatArrays would give more than ${MAX_ITEMS} elements`);
    for (const item of value) out.push(item);
  }
  return out;
}

function isIn(value: Result, array: Result): boolean {
  if (!Array.isArray(array))
    fail(40081, `$in requires an array as a second argument, found: ${typeName(array)}`);
  return array.some((item) => compareResults(item, value) === 0);
}

function size(value: Result): Value {
  if (Array.isArray(value)) return count(value.length);
  fail(17124, `The argument to $size must be an array, but was of type: ${typeName(value)}`);
}

function sliceNumber(value: Value, which: string, notNumber: number): number {
  if (!isNumber(value))
    fail(notNumber, `${which} argument to $slice must be numeric, but is of type: ${typeName(value)}`);
  return (
    asInt32(value) ??
    fail(
      notNumber + 1,
      `${which} argument to $slice can't be represented as a 32-bit integer: ${show(value)}`,
    )
  );
}

function slice(values: Result[]): Result {
  const [array, second, third] = values;
  if (nullish(array) || nullish(second)) return null;
  if (!Array.isArray(array))
    fail(28724, `First argument to $slice must be an array, but is of type: ${typeName(array)}`);
  const from = sliceNumber(second, "Second", 28725);
  if (values.length === 2) return from < 0 ? array.slice(from) : array.slice(0, from);
  if (nullish(third)) return null;
  const length = sliceNumber(third, "Third", 28727);
  if (length <= 0) fail(28729, `Third argument to $slice must be positive: ${length}`);
  const start = from < 0 ? Math.max(0, array.length + from) : from;
  return array.slice(start, start + length);
}

export const ARRAY_EXPRESSIONS: OperatorTable = {
  $concatArrays: variadic(concatArrays),
  $in: binary(isIn),
  $size: unary(size),
  $slice: ranged(2, 3, slice),
};
