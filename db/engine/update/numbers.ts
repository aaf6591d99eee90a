/** Arithmetic of updates: int32 grows into int64, int64 never into double; a double makes all double. */
import { present } from "../values/present.ts";
import {
  fitsInt32,
  fitsInt64,
  Int32,
  isNumber,
  type NumberValue,
  toNumber,
  type Value,
} from "../values/values.ts";

type Integer = Int32 | bigint;

function isInteger(value: NumberValue): value is Integer {
  return typeof value !== "number";
}

function toBigInt(value: Integer): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

/** Keeps int32 where both were and the result fits; undefined where int64 overflows. */
function integer(a: Integer, b: Integer, result: bigint): Integer | undefined {
  if (a instanceof Int32 && b instanceof Int32 && fitsInt32(Number(result))) return new Int32(Number(result));
  return fitsInt64(result) ? result : undefined;
}

export function add(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (isInteger(a) && isInteger(b)) return integer(a, b, toBigInt(a) + toBigInt(b));
  return toNumber(a) + toNumber(b);
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (isInteger(a) && isInteger(b)) return integer(a, b, toBigInt(a) * toBigInt(b));
  return toNumber(a) * toNumber(b);
}

export const BITWISE: Record<string, (a: Integer, b: Integer) => Integer> = {
  and: (a, b) => present(integer(a, b, toBigInt(a) & toBigInt(b))),
  or: (a, b) => present(integer(a, b, toBigInt(a) | toBigInt(b))),
  xor: (a, b) => present(integer(a, b, toBigInt(a) ^ toBigInt(b))),
};

export function isIntegral(value: Value): value is Integer {
  return isNumber(value) && isInteger(value);
}
