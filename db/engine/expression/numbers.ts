/**
 * Numbers as MongoDB's expressions use them: what counts as an integer, how int32 grows into int64 and
 * int64 into double, and how numbers become text.
 */
import { fail } from "../values/errors.ts";
import {
  fitsInt32,
  fitsInt64,
  Int32,
  isNumber,
  type NumberValue,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";
import type { Result } from "./env.ts";

const TWO_63 = 2 ** 63;

/** An int32 where it fits, else an int64. */
export function intOrLong(value: bigint): NumberValue {
  const number = Number(value);
  return fitsInt32(number) ? new Int32(number) : value;
}

/** The value as an integer of 32 bits whatever its type, or undefined. */
export function asInt32(value: Result): number | undefined {
  if (value instanceof Int32) return value.value;
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  return fitsInt32(number) ? number : undefined;
}

/** The number without its fraction, as C++ casts a double. */
export function truncateToInt64(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof Int32) return BigInt(value.value);
  if (typeof value !== "number") fail(16004, `can't convert from BSON type ${typeName(value)} to long`);
  if (!(value >= -TWO_63 && value < TWO_63)) fail(31109, `Can't coerce out of range value ${value} to long`);
  return BigInt(Math.trunc(value));
}

/** Halves go away from zero. */
export function roundToInt64(value: number): bigint | undefined {
  if (!(value >= -TWO_63 && value < TWO_63)) return undefined;
  return BigInt(Math.sign(value) * Math.round(Math.abs(value)));
}

export function checkedInt64(value: bigint, code: number, message: string): bigint {
  return fitsInt64(value) ? value : fail(code, message);
}

function trimZeros(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}

function exponential(mantissa: string, exponent: number): string {
  const sign = exponent < 0 ? "-" : "+";
  return `${trimZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** As C's `%g`: six significant digits. Strings made implicitly from doubles look like this. */
export function sixDigits(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponent] = value.toExponential(5).split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6) return exponential(mantissa, power);
  return trimZeros(value.toFixed(5 - power));
}

/** The shortest text that reads back as the same double; an exponent below 1e-4 and from 1e16 on. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (Object.is(value, -0)) return "-0";
  const [mantissa = "", exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 16)) return exponential(mantissa, power);
  return String(value);
}

/** A value in an error message: short, and never the whole of a large document. */
export function show(value: Result): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (isNumber(value)) return typeof value === "number" ? shortest(value) : String(toNumber(value));
  if (value === null || typeof value === "boolean") return String(value);
  return typeName(value);
}
