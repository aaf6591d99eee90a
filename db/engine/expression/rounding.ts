/**
 * $round and $trunc to a decimal place. A double is taken at its exact decimal value, so that 1.005 (which
 * is a little less) rounds to 1; $round sends exact halves to the even neighbour.
 */
import { fail } from "../values/errors.ts";
import { type Int32, isNumber, typeName, type Value } from "../values/values.ts";
import { nullish, type Result } from "./env.ts";
import { asInt32, checkedInt64, intOrLong, truncateToInt64 } from "./numbers.ts";

/** The quotient of two integers without its fraction; `quotient * 10^-place` is the result. */
type Rounding = (dividend: bigint, divisor: bigint) => bigint;

const toZero: Rounding = (dividend, divisor) => dividend / divisor;

const halfToEven: Rounding = (dividend, divisor) => {
  const quotient = dividend / divisor;
  const twice = (dividend - quotient * divisor) * 2n;
  const size = twice < 0n ? -twice : twice;
  const isUp = size > divisor || (size === divisor && quotient % 2n !== 0n);
  return isUp ? quotient + (dividend < 0n ? -1n : 1n) : quotient;
};

const BITS = new DataView(new ArrayBuffer(8));

/** A finite double as the fraction of two integers. */
function fraction(value: number): [dividend: bigint, divisor: bigint] {
  BITS.setFloat64(0, value);
  const bits = BITS.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const signed = bits >> 63n ? -mantissa : mantissa;
  return power >= 0 ? [signed << BigInt(power), 1n] : [signed, 1n << BigInt(-power)];
}

function roundDouble(value: number, place: number, round: Rounding): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const [dividend, divisor] = fraction(value);
  const scale = 10n ** BigInt(Math.abs(place));
  const digits = place >= 0 ? round(dividend * scale, divisor) : round(dividend, divisor * scale);
  return Number(`${digits}e${-place}`);
}

function roundInteger(value: Int32 | bigint, place: number, round: Rounding): Value {
  if (place >= 0) return value;
  const scale = 10n ** BigInt(-place);
  const rounded = round(truncateToInt64(value), scale) * scale;
  checkedInt64(rounded, 51080, `invalid conversion, ${rounded} is out of range`);
  return typeof value === "bigint" ? rounded : intOrLong(rounded);
}

function decimalPlace(value: Value, name: string): number {
  truncateToInt64(value);
  const place = asInt32(value) ?? fail(51082, `precision argument to  ${name} must be a integral value`);
  if (place < -20 || place > 100)
    fail(51083, `cannot apply ${name} with precision value ${place} value must be in [-20, 100]`);
  return place;
}

export function rounded(round: Rounding): (values: Result[], name: string) => Result {
  return (values, name) => {
    const [value, precision] = values;
    if (nullish(value)) return null;
    if (!isNumber(value)) fail(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    if (values.length > 1 && nullish(precision)) return null;
    const place = precision === undefined ? 0 : decimalPlace(precision, name);
    return typeof value === "number" ? roundDouble(value, place, round) : roundInteger(value, place, round);
  };
}

export const ROUNDINGS = { toZero, halfToEven };
