import { fail, unsupported } from "../values/errors.ts";
import { count, typeName, type Value } from "../values/values.ts";
import { fixed, nullish, type OperatorTable, type Result, unary } from "./env.ts";
import { int32Argument } from "./numbers.ts";

function byteLength(value: Result): Value {
  if (typeof value === "string") return count(Buffer.byteLength(value));
  fail(34473, `$strLenBytes requires a string argument, found: ${typeName(value)}`);
}

function substrCP([input, from, size]: Result[]): Result {
  const text = nullish(input) ? "" : input;
  if (typeof text !== "string") unsupported(`$substrCP of a value of the type ${typeName(text)}`);
  const start = int32Argument(from, "$substrCP: starting index", 34450);
  const length = int32Argument(size, "$substrCP: length", 34452);
  if (length < 0) fail(34454, "$substrCP: length must be a nonnegative integer.");
  if (start < 0) fail(34455, "$substrCP: the starting index must be nonnegative integer.");
  return [...text].slice(start, start + length).join("");
}

export const STRING_EXPRESSIONS: OperatorTable = {
  $strLenBytes: unary(byteLength),
  $substrCP: fixed(3, substrCP),
};
