import { fail, unsupported } from "../values/errors.ts";
import { count, typeName, type Value } from "../values/values.ts";
import { compareResults } from "./comparison.ts";
import {
  argumentList,
  binary,
  type Compiler,
  nullish,
  type OperatorTable,
  type Result,
  unary,
  variadic,
} from "./env.ts";
import { int32Argument } from "./numbers.ts";

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

function slice(array: Result, length: Result): Result {
  if (nullish(array) || nullish(length)) return null;
  if (!Array.isArray(array))
    fail(28724, `First argument to $slice must be an array, but is of type: ${typeName(array)}`);
  const count = int32Argument(length, "Second argument to $slice", 28725);
  return count < 0 ? array.slice(count) : array.slice(0, count);
}

const sliceOperator: Compiler = (argument, env, name) => {
  if (argumentList(argument).length === 3) unsupported("$slice with a start");
  return binary(slice)(argument, env, name);
};

export const ARRAY_EXPRESSIONS: OperatorTable = {
  $concatArrays: variadic(concatArrays),
  $in: binary(isIn),
  $size: unary(size),
  $slice: sliceOperator,
};
