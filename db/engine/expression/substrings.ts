/** Parts of strings by UTF-8 byte and by code point. */
import { fail } from "../values/errors.ts";
import { Int32, isNumber, typeName, type Value } from "../values/values.ts";
import { searchBound } from "./arrays.ts";
import { type Compiler, fixed, nullish, type OperatorTable, type Result, ranged } from "./env.ts";
import { asInt32, show, truncateToInt64 } from "./numbers.ts";
import { coerceToText } from "./strings.ts";

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function substrBytes([input, from, size]: Result[]): Result {
  const bytes = Buffer.from(coerceToText(input));
  const name = "$substrBytes";
  if (!isNumber(from))
    fail(16034, `${name}:  starting index must be a numeric type (is BSON type ${typeName(from)})`);
  if (!isNumber(size))
    fail(16035, `${name}:  length must be a numeric type (is BSON type ${typeName(size)})`);
  const start = Number(truncateToInt64(from));
  if (start < 0) fail(50752, `${name}:  starting index must be non-negative (got: ${start})`);
  const length = Number(truncateToInt64(size));
  const end = length < 0 ? bytes.length : start + length;
  if (isContinuation(bytes[start]))
    fail(28656, `${name}:  Invalid range, starting index is a UTF-8 continuation byte.`);
  if (isContinuation(bytes[end]))
    fail(28657, `${name}:  Invalid range, ending index is in the middle of a UTF-8 character.`);
  return bytes.toString("utf8", start, end);
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

/** The two strings to search in and for, or null where the first is nothing. */
function searchStrings(text: Result, token: Result, name: string, first: number): [string, string] | null {
  if (nullish(text)) return null;
  if (typeof text !== "string")
    fail(first, `${name} requires a string as the first argument, found: ${typeName(text)}`);
  if (typeof token !== "string")
    fail(first + 1, `${name} requires a string as the second argument, found: ${typeName(token)}`);
  return [text, token];
}

function indexOf(
  first: number,
  search: (text: string, token: string, from: number, to: number) => number,
): Compiler {
  return ranged(2, 4, (values, name): Value => {
    const strings = searchStrings(values[0], values[1], name, first);
    if (!strings) return null;
    const from = values.length > 2 ? searchBound(values[2], name, "starting index") : 0;
    const to = values.length > 3 ? searchBound(values[3], name, "ending index") : Number.POSITIVE_INFINITY;
    return new Int32(search(strings[0], strings[1], from, to));
  });
}

function indexOfBytes(text: string, token: string, from: number, to: number): number {
  const bytes = Buffer.from(text);
  if (from > bytes.length || to < from) return -1;
  return bytes.subarray(0, to).indexOf(token, from);
}

/** The end bounds where a match starts, unlike for bytes, where all of it must lie before the end. */
function indexOfCP(text: string, token: string, from: number, to: number): number {
  const points = [...text];
  const sought = [...token];
  const end = Math.min(points.length, to);
  if (points.length === 0 && sought.length === 0 && from === 0) return 0;
  for (let i = from; i < end && i + sought.length <= points.length; i++)
    if (sought.every((point, k) => points[i + k] === point)) return i;
  return -1;
}

export const SUBSTRING_EXPRESSIONS: OperatorTable = {
  $indexOfBytes: indexOf(40091, indexOfBytes),
  $indexOfCP: indexOf(40093, indexOfCP),
  $substr: fixed(3, substrBytes),
  $substrBytes: fixed(3, substrBytes),
  $substrCP: fixed(3, substrCP),
};
