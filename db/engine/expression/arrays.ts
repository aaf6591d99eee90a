import { compareTuples, parseSort } from "../search/sort.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { compare, count, Int32, isDoc, isNumber, toNumber, typeName, type Value } from "../values/values.ts";
import { compareResults } from "./comparison.ts";
import {
  binary,
  type Compiler,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  ranged,
  unary,
  variadic,
} from "./env.ts";
import { asInt32, show } from "./numbers.ts";

const INDEX = /^(?:0|[1-9][0-9]*)$/;
const MAX_ITEMS = 10_000_000;
const RANGE_MAX_BYTES = 64 * 1024 * 1024;

function elementAt(array: Result, index: Result, name: string, which: string): Result {
  if (nullish(array) || nullish(index)) return null;
  if (!Array.isArray(array)) fail(28689, `${name}'s ${which} must be an array, but is ${typeName(array)}`);
  if (!isNumber(index))
    fail(28690, `${name}'s second argument must be a numeric value, but is ${typeName(index)}`);
  const at =
    asInt32(index) ??
    fail(28691, `${name}'s second argument must be representable as a 32-bit integer: ${show(index)}`);
  return array[at < 0 ? array.length + at : at];
}

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

/** A bound of $indexOfArray, $indexOfBytes and $indexOfCP. */
export function searchBound(value: Result, name: string, which: string): number {
  const bound =
    asInt32(value) ??
    fail(40096, `${name} requires an integral ${which}, found a value of type: ${typeName(value)}`);
  if (bound < 0) fail(40097, `${name} requires a nonnegative ${which}, found: ${bound}`);
  return bound;
}

function indexOfArray(values: Result[], name: string): Result {
  const [array, target] = values;
  if (nullish(array)) return null;
  if (!Array.isArray(array))
    fail(40090, `$indexOfArray requires an array as a first argument, found: ${typeName(array)}`);
  const start = values.length > 2 ? searchBound(values[2], name, "starting index") : 0;
  const end = values.length > 3 ? searchBound(values[3], name, "ending index") : array.length;
  for (let i = start; i < Math.min(end, array.length); i++)
    if (compareResults(array[i], target) === 0) return new Int32(i);
  return new Int32(-1);
}

const RANGE_CODES = { starting: [34443, 34444], ending: [34445, 34446], step: [34447, 34448] } as const;

function rangeNumber(value: Result, which: keyof typeof RANGE_CODES): number {
  const [notNumber, notInteger] = RANGE_CODES[which];
  if (!isNumber(value))
    fail(notNumber, `$range requires a numeric ${which} value, found value of type: ${typeName(value)}`);
  return (
    asInt32(value) ??
    fail(notInteger, `$range requires a ${which} value that fits a 32-bit integer, found: ${show(value)}`)
  );
}

function range(values: Result[]): Result {
  const start = rangeNumber(values[0], "starting");
  const end = rangeNumber(values[1], "ending");
  const step = values.length > 2 ? rangeNumber(values[2], "step") : 1;
  if (step === 0) fail(34449, "$range requires a non-zero step value");
  const length = Math.max(0, Math.ceil((end - start) / step));
  const bytes = length * (6 + String(length).length);
  if (bytes > RANGE_MAX_BYTES)
    fail(146, `$range would use too much memory (${bytes} bytes). Memory limit: ${RANGE_MAX_BYTES} bytes`);
  return Array.from({ length }, (_, i) => new Int32(start + i * step));
}

function reverseArray(value: Result): Result {
  if (nullish(value)) return null;
  if (Array.isArray(value)) return value.toReversed();
  fail(34435, `The argument to $reverseArray must be an array, but was of type: ${typeName(value)}`);
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

/** The value at a path of one element: by field name in documents, by position in arrays. */
function fieldAt(item: Value, parts: readonly string[]): Value {
  let node: Value | undefined = item;
  for (const part of parts) {
    if (node instanceof Map) node = node.get(part);
    else node = Array.isArray(node) && INDEX.test(part) ? node[Number(part)] : undefined;
  }
  return node ?? null;
}

/** The order that `sortBy` means: of whole elements, or of documents by their fields. */
function elementOrder(sortBy: Value): (array: Value[]) => Value[] {
  if (isDoc(sortBy)) {
    if (sortBy.size === 0) fail(2942505, "The sort pattern is empty when it should be a set of fields.");
    const keys = parseSort(sortBy);
    const paths = keys.map(({ path }) => path.split("."));
    const inOrder = compareTuples(keys);
    const place = (item: Value) => ({ item, tuple: paths.map((parts) => fieldAt(item, parts)) });
    return (array) =>
      array
        .map(place)
        .sort((a, b) => inOrder(a.tuple, b.tuple))
        .map(({ item }) => item);
  }
  if (!isNumber(sortBy))
    fail(2942507, "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1}");
  const direction = toNumber(sortBy);
  if (direction !== 1 && direction !== -1) fail(2942506, "The $sort element value must be either 1 or -1");
  return (array) => array.toSorted((a, b) => compare(a, b) * direction);
}

const sortArray: Compiler = (argument, env, name) => {
  const codes = { object: 2942500, unknown: 2942501, required: { input: 2942502, sortBy: 2942503 } };
  const given = namedArguments(argument, name, codes);
  const input = env.compile(present(given.input));
  const inOrder = elementOrder(present(given.sortBy));
  return (scope) => {
    const array = input(scope);
    if (nullish(array)) return null;
    if (Array.isArray(array)) return inOrder(array);
    fail(2942504, `The input argument to $sortArray must be an array, but was of type: ${typeName(array)}`);
  };
};

export const ARRAY_EXPRESSIONS: OperatorTable = {
  $arrayElemAt: binary((array, index, name) => elementAt(array, index, name, "first argument")),
  $concatArrays: variadic(concatArrays),
  $first: unary((array, name) => elementAt(array, new Int32(0), name, "argument")),
  $in: binary(isIn),
  $indexOfArray: ranged(2, 4, indexOfArray),
  $isArray: unary((value) => Array.isArray(value)),
  $last: unary((array, name) => elementAt(array, new Int32(-1), name, "argument")),
  $range: ranged(2, 3, range),
  $reverseArray: unary(reverseArray),
  $size: unary(size),
  $slice: ranged(2, 3, slice),
  $sortArray: sortArray,
};
