import { fail, failUnsupported } from "../values/errors.ts";
import { toCount, typeName, type Value } from "../values/values.ts";
import { createFixedOperator, isNullish, type OperatorTable, type Result, unary } from "./env.ts";
import { requireInt32 } from "./numbers.ts";

function countBytes(value: Result): Value {
  if (typeof value === "string") return toCount(Buffer.byteLength(value));
  fail(34473, `$strLenBytes requires a string argument, found: ${typeName(value)}`);
}

function sliceCodePoints([input, from, size]: Result[]): Result {
  const text = isNullish(input) ? "" : input;
  if (typeof text !== "string") failUnsupported(`$substrCP of a value of the type ${typeName(text)}`);
  const start = requireInt32(from, "$substrCP: starting index", 34450);
  const length = requireInt32(size, "$substrCP: length", 34452);
  if (length < 0) fail(34454, "$substrCP: length must be a nonnegative integer.");
  if (start < 0) fail(34455, "$substrCP: the starting index must be nonnegative integer.");
  return [...text].slice(start, start + length).join("");
}

export const STRING_EXPRESSIONS: OperatorTable = {
  $strLenBytes: unary(countBytes),
  $substrCP: createFixedOperator(3, sliceCodePoints),
};
