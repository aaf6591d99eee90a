/**
 * The field operators that look at one value and are no comparison: $type, $size, $mod and the bit tests,
 * with exactly the operands MongoDB takes.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  Binary,
  fitsInt32,
  fitsInt64,
  isNumber,
  type NumberValue,
  TYPE_NUMBERS,
  toNumber,
  typeName,
  typeNumber,
  type Value,
} from "../values/values.ts";
import type { Test } from "./path.ts";

/** An integral number of any type as int64; fails as the parsing of MongoDB's integer arguments does. */
export function integerArgument(operand: Value, code: number, context = ""): bigint {
  if (!isNumber(operand)) fail(code, `${context}Expected a number in: ${typeName(operand)}`);
  if (typeof operand !== "number") return BigInt(toBigInt(operand));
  if (!Number.isInteger(operand)) fail(code, `${context}Expected an integer: ${operand}`);
  const integer = BigInt(operand);
  if (!fitsInt64(integer)) fail(code, `${context}Cannot represent as a 64-bit integer: ${operand}`);
  return integer;
}

function toBigInt(value: NumberValue): bigint {
  return typeof value === "bigint" ? value : BigInt(toNumber(value));
}

/** A type's number or name, or several; "number" stands for all numeric types. */
export function typeTest(operand: Value): Test {
  const wanted = new Set<number>();
  for (const item of Array.isArray(operand) ? operand : [operand])
    for (const type of typesOf(item)) wanted.add(type);
  if (wanted.size === 0) fail(9, "$type must match at least one type");
  return (value) => value !== undefined && wanted.has(typeNumber(value));
}

const NUMERIC_TYPES = [1, 16, 18, 19];
const KNOWN_TYPES = new Set(TYPE_NUMBERS.values());

function typesOf(item: Value): number[] {
  if (item === "number") return NUMERIC_TYPES;
  if (typeof item === "string")
    return [TYPE_NUMBERS.get(item) ?? fail(2, `Unknown type name alias: ${item}`)];
  if (!isNumber(item)) fail(14, "type must be represented as a number or a string");
  const number = toNumber(item);
  if (!KNOWN_TYPES.has(number)) fail(2, `Invalid numerical type code: ${number}`);
  return [number];
}

export function sizeTest(operand: Value): Test {
  const size = Number(integerArgument(operand, 2, "Failed to parse $size. "));
  if (size < 0) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  if (!fitsInt32(size)) fail(2, `Failed to parse $size. Cannot represent as an integer: $size: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}

/** Doubles are cut off towards zero; what is no int64 then has no remainder. */
function truncated(value: NumberValue): bigint | undefined {
  if (typeof value !== "number") return toBigInt(value);
  if (!Number.isFinite(value)) return undefined;
  const integer = BigInt(Math.trunc(value));
  return fitsInt64(integer) ? integer : undefined;
}

function modArgument(value: Value | undefined, name: string): bigint {
  if (value === undefined) fail(2, "malformed mod, not enough elements");
  if (!isNumber(value)) fail(2, `malformed mod, ${name} not a number`);
  const reason = Number.isFinite(toNumber(value))
    ? "Out of bounds coercing to integral value"
    : "Unable to coerce NaN/Inf to integral type";
  return truncated(value) ?? fail(2, `malformed mod, ${name} value is invalid :: caused by :: ${reason}`);
}

export function modTest(operand: Value): Test {
  if (!Array.isArray(operand)) fail(2, "malformed mod, needs to be an array");
  if (operand.length < 2) fail(2, "malformed mod, not enough elements");
  if (operand.length > 2) fail(2, "malformed mod, too many elements");
  const divisor = modArgument(operand[0], "divisor");
  const remainder = modArgument(operand[1], "remainder");
  if (divisor === 0n) fail(2, "divisor cannot be 0");
  return (value) => {
    const dividend = isNumber(value) ? truncated(value) : undefined;
    return dividend !== undefined && dividend % divisor === remainder;
  };
}

/** How the tested bits decide: all or any of them, set or clear. */
interface BitRule {
  all: boolean;
  set: boolean;
}
export const BIT_RULES: Record<string, BitRule> = {
  $bitsAllSet: { all: true, set: true },
  $bitsAllClear: { all: true, set: false },
  $bitsAnySet: { all: false, set: true },
  $bitsAnyClear: { all: false, set: false },
};

export function bitTest(name: string, operand: Value): Test {
  const { all, set } = present(BIT_RULES[name]);
  const positions = bitPositions(name, operand);
  const decide = (bit: (position: number) => boolean) =>
    all ? positions.every((at) => bit(at) === set) : positions.some((at) => bit(at) === set);
  return (value) => {
    if (value instanceof Binary) {
      const { bytes } = value;
      return decide((at) => at >> 3 < bytes.length && ((present(bytes[at >> 3]) >> (at & 7)) & 1) === 1);
    }
    if (!isNumber(value) || (typeof value === "number" && !Number.isInteger(value))) return false;
    const integer = truncated(value);
    // A negative number goes on with ones beyond its 64 bits.
    return integer !== undefined && decide((at) => ((integer >> BigInt(Math.min(at, 63))) & 1n) === 1n);
  };
}

function bitPositions(name: string, operand: Value): number[] {
  if (Array.isArray(operand)) return operand.map(bitPosition);
  if (operand instanceof Binary) {
    const { bytes } = operand;
    return Array.from({ length: bytes.length * 8 }, (_, at) => at).filter(
      (at) => ((present(bytes[at >> 3]) >> (at & 7)) & 1) === 1,
    );
  }
  if (!isNumber(operand))
    fail(2, `${name} takes an Array, a number, or a BinData but received: ${typeName(operand)}`);
  const mask = integerArgument(operand, 9);
  if (mask < 0n) fail(9, `Expected a non-negative number in: ${name}: ${mask}`);
  return Array.from({ length: 63 }, (_, at) => at).filter((at) => (mask >> BigInt(at)) & 1n);
}

function bitPosition(operand: Value): number {
  const position = Number(integerArgument(operand, 2, "Failed to parse bit position. "));
  if (position < 0 || !fitsInt32(position))
    fail(2, `Failed to parse bit position. Expected a non-negative number in: ${position}`);
  return position;
}
