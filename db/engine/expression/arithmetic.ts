import { fail } from "../values/errors.ts";
import {
  fitsInt64,
  Int32,
  isNumber,
  type NumberValue,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";
import {
  binary,
  type Compiler,
  nullish,
  type OperatorTable,
  type Result,
  ranged,
  unary,
  variadic,
} from "./env.ts";
import { asInt32, intOrLong, truncateToInt64 } from "./numbers.ts";
import { ROUNDINGS, rounded } from "./rounding.ts";
import { add, multiply, subtract } from "./sums.ts";

/** One number in, one value out; null and missing give null. */
export function numeric(apply: (value: NumberValue, name: string) => Value): Compiler {
  return unary((value, name) => {
    if (isNumber(value)) return apply(value, name);
    if (nullish(value)) return null;
    fail(28765, `${name} only supports numeric types, not ${typeName(value)}`);
  });
}

function abs(value: NumberValue): Value {
  if (typeof value === "number") return Math.abs(value);
  const integer = truncateToInt64(value);
  if (integer === -(2n ** 63n)) fail(28680, "can't take $abs of long long min");
  const size = integer < 0n ? -integer : integer;
  return typeof value === "bigint" ? size : intOrLong(size);
}

function divide(left: Result, right: Result): Result {
  if (isNumber(left) && isNumber(right)) {
    const divisor = toNumber(right);
    if (divisor === 0) fail(2, "can't $divide by zero");
    return toNumber(left) / divisor;
  }
  if (nullish(left) || nullish(right)) return null;
  fail(14, `$divide only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
}

function mod(left: Result, right: Result): Result {
  if (isNumber(left) && isNumber(right)) {
    const divisor = toNumber(right);
    if (divisor === 0) fail(16610, "can't $mod by zero");
    const isWhole = typeof right !== "number" || asInt32(right) !== undefined;
    if (typeof left === "number" || !isWhole) return toNumber(left) % divisor;
    const rest = truncateToInt64(left) % truncateToInt64(right);
    return typeof left === "bigint" || typeof right === "bigint" ? rest : new Int32(Number(rest));
  }
  if (nullish(left) || nullish(right)) return null;
  fail(16611, `$mod only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
}

/** A logarithm's argument: positive, or NaN that stays NaN. */
function positive(value: number, code: number, name: string): number {
  if (value > 0 || Number.isNaN(value)) return value;
  fail(code, `${name}'s argument must be a positive number, but is ${value}`);
}

function log(left: Result, right: Result): Result {
  if (nullish(left) || nullish(right)) return null;
  if (!isNumber(left)) fail(28756, `$log's argument must be numeric, not ${typeName(left)}`);
  if (!isNumber(right)) fail(28757, `$log's base must be numeric, not ${typeName(right)}`);
  const value = positive(toNumber(left), 28758, "$log");
  const base = toNumber(right);
  if (!(base > 0 && base !== 1) && !Number.isNaN(base))
    fail(28759, `$log's base must be a positive number not equal to 1, but is ${base}`);
  return Math.log(value) / Math.log(base);
}

function pow(left: Result, right: Result): Result {
  if (nullish(left) || nullish(right)) return null;
  if (!isNumber(left)) fail(28762, `$pow's base must be numeric, not ${typeName(left)}`);
  if (!isNumber(right)) fail(28763, `$pow's exponent must be numeric, not ${typeName(right)}`);
  const base = toNumber(left);
  const exponent = toNumber(right);
  if (base === 0 && exponent < 0) fail(28764, "$pow cannot take a base of 0 and a negative exponent");
  if (typeof left === "number" || typeof right === "number") return base === 1 ? 1 : base ** exponent;
  return integerPower(left, right, () => base ** exponent);
}

function integerPower(left: Int32 | bigint, right: Int32 | bigint, inexact: () => number): Value {
  const base = truncateToInt64(left);
  let exponent = truncateToInt64(right);
  if (base === 1n || base === -1n) exponent = exponent % 2n === 0n ? 0n : 1n;
  else if (base !== 0n && (exponent > 63n || exponent < 0n)) return inexact();
  else if (base === 0n && exponent > 1n) exponent = 1n;
  const power = base ** exponent;
  if (!fitsInt64(power)) return inexact();
  return typeof left === "bigint" || typeof right === "bigint" ? power : intOrLong(power);
}

function sqrt(value: NumberValue): Value {
  const number = toNumber(value);
  if (number < 0) fail(28714, "$sqrt's argument must be greater than or equal to 0");
  return Math.sqrt(number);
}

export const ARITHMETIC_EXPRESSIONS: OperatorTable = {
  $abs: numeric(abs),
  $add: variadic(add),
  $ceil: numeric((value) => (typeof value === "number" ? Math.ceil(value) : value)),
  $divide: binary(divide),
  $exp: numeric((value) => Math.exp(toNumber(value))),
  $floor: numeric((value) => (typeof value === "number" ? Math.floor(value) : value)),
  $ln: numeric((value, name) => Math.log(positive(toNumber(value), 28766, name))),
  $log: binary(log),
  $log10: numeric((value, name) => Math.log10(positive(toNumber(value), 28761, name))),
  $mod: binary(mod),
  $multiply: variadic(multiply),
  $pow: binary(pow),
  $round: ranged(1, 2, rounded(ROUNDINGS.halfToEven)),
  $sqrt: numeric(sqrt),
  $subtract: binary(subtract),
  $trunc: ranged(1, 2, rounded(ROUNDINGS.toZero)),
};
