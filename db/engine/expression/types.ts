/** A value as it stands, and values of other types made into int64. */
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { fitsInt64, Int32, typeName, UtcDate } from "../values/values.ts";
import { argumentList, type Compiler, constant, nullish, type OperatorTable, type Result } from "./env.ts";

const CONVERSION_FAILURE = 241;
const IN_CONVERT = "in $convert with no onError value";
const INTEGER = /^[+-]?\d+$/;

function doubleToLong(value: number): bigint {
  if (Number.isNaN(value))
    fail(CONVERSION_FAILURE, `Attempt to convert NaN value to integer type ${IN_CONVERT}`);
  if (!Number.isFinite(value))
    fail(CONVERSION_FAILURE, `Attempt to convert infinity value to integer type ${IN_CONVERT}`);
  const whole = BigInt(Math.trunc(value));
  return fitsInt64(whole)
    ? whole
    : fail(CONVERSION_FAILURE, `Conversion would overflow target type ${IN_CONVERT}: ${value}`);
}

function textToLong(text: string): bigint {
  const value = INTEGER.test(text) ? BigInt(text.replace("+", "")) : undefined;
  return value !== undefined && fitsInt64(value)
    ? value
    : fail(CONVERSION_FAILURE, `Failed to parse number '${text}' ${IN_CONVERT}`);
}

function toLong(value: Result): bigint | null {
  if (nullish(value)) return null;
  if (typeof value === "bigint") return value;
  if (value instanceof Int32) return BigInt(value.value);
  if (value instanceof UtcDate) return value.ms;
  if (typeof value === "number") return doubleToLong(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "string") return textToLong(value);
  fail(CONVERSION_FAILURE, `Unsupported conversion from ${typeName(value)} to long ${IN_CONVERT}`);
}

const toLongOperator: Compiler = (argument, env, name) => {
  const list = argumentList(argument);
  if (list.length !== 1) fail(50723, `${name} requires a single argument, got ${list.length}`);
  const input = env.compile(present(list[0]));
  return env.fold((scope) => toLong(input(scope)), [input]);
};

const literal: Compiler = (argument) => constant(argument);

export const TYPE_EXPRESSIONS: OperatorTable = {
  $literal: literal,
  $toLong: toLongOperator,
};
