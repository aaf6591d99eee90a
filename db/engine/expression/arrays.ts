import { fail, failUnsupported } from "../values/errors.ts";
import { toCount, typeName, type Value } from "../values/values.ts";
import { compareResults } from "./comparison.ts";
import {
  argumentList,
  binary,
  type Compiler,
  createVariadicOperator,
  isNullish,
  type OperatorTable,
  type Result,
  unary,
} from "./env.ts";
import { requireInt32 } from "./numbers.ts";

const MAX_ITEMS = 10_000_000;

function concatArrays(values: Result[]): Result {
  const out: Value[] = [];
  for (const value of values) {
    if (isNullish(value)) return null;
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

function countItems(value: Result): Value {
  if (Array.isArray(value)) return toCount(value.length);
  fail(17124, `The argument to $size must be an array, but was of type: ${typeName(value)}`);
}

function sliceArray(array: Result, length: Result): Result {
  if (isNullish(array) || isNullish(length)) return null;
  if (!Array.isArray(array))
    fail(28724, `First argument to $slice must be an array, but is of type: ${typeName(array)}`);
  const count = requireInt32(length, "Second argument to $slice", 28725);
  return count < 0 ? array.slice(count) : array.slice(0, count);
}

const compileSlice: Compiler = (argument, env, name) => {
  if (argumentList(argument).length === 3) failUnsupported("$slice with a start");
  return binary(sliceArray)(argument, env, name);
};

export const ARRAY_EXPRESSIONS: OperatorTable = {
  $concatArrays: createVariadicOperator(concatArrays),
  $in: binary(isIn),
  $size: unary(countItems),
  $slice: compileSlice,
};
