/**
 * Numbers as MongoDB's expressions use them: what counts as an integer, how int32 grows into int64 and
 * int64 into double, and how numbers become text.
 */
import { fail } from "../values/errors.ts";
import { fitsInt32, Int32, isNumber, type NumberValue, toNumber, typeName } from "../values/values.ts";
import type { Result } from "./env.ts";

export function intOrLong(value: bigint): NumberValue {
  const number = Number(value);
  return fitsInt32(number) ? new Int32(number) : value;
}

/** The value as an integer of 32 bits whatever its type, or undefined. */
function asInt32(value: Result): number | undefined {
  if (value instanceof Int32) return value.value;
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  return fitsInt32(number) ? number : undefined;
}

/** An argument that has to be a number, and a whole one of 32 bits; the code of the second refusal follows the first. */
export function requireInt32(value: Result, which: string, code: number): number {
  if (!isNumber(value)) fail(code, `${which} must be numeric, but is of type: ${typeName(value)}`);
  return (
    asInt32(value) ??
    fail(code + 1, `${which} can't be represented as a 32-bit integer: ${formatForError(value)}`)
  );
}

/** Formats a value for an error message; long texts are cut and documents only named by type. */
export function formatForError(value: Result): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (isNumber(value)) return String(toNumber(value));
  if (value === null || typeof value === "boolean") return String(value);
  return typeName(value);
}
