/**
 * What each update operator does to one value. An operator is compiled with its operand; then it says what
 * becomes of a value that is there, and what it makes where there is none.
 */

import { fail } from "../values/errors.ts";
import {
  compareValues,
  fitsInt32,
  fitsInt64,
  Int32,
  isNumber,
  type NumberValue,
  toNumber,
  typeName,
} from "../values/values.ts";
import { ARRAY_OPERATORS } from "./arrays.ts";
import type { OperationCompiler } from "./operation.ts";

const set: OperationCompiler = (operand) => ({ update: () => operand, create: () => operand });

function toBigInt(value: Int32 | bigint): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

/** Adds two numbers: int32 may become int64, and a double makes the sum a double. Undefined if int64 overflows. */
function addNumbers(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (typeof a === "number" || typeof b === "number") return toNumber(a) + toNumber(b);
  const sum = toBigInt(a) + toBigInt(b);
  if (a instanceof Int32 && b instanceof Int32 && fitsInt32(Number(sum))) return new Int32(Number(sum));
  return fitsInt64(sum) ? sum : undefined;
}

const compileIncrement: OperationCompiler = (operand, path) => {
  if (!isNumber(operand))
    fail(14, `Cannot increment with non-numeric argument: {${path}: ${typeName(operand)}}`);
  return {
    update(existing) {
      if (!isNumber(existing))
        fail(14, `Cannot apply $inc to a value of non-numeric type ${typeName(existing)} at '${path}'`);
      const sum =
        addNumbers(existing, operand) ??
        fail(2, `Failed to apply $inc operations to the current value of '${path}'`);
      // A zero of the other sign is no change.
      return sum === existing ? existing : sum;
    },
    create: () => operand,
  };
};

function createMinOrMax(wins: (order: number) => boolean): OperationCompiler {
  return (operand) => ({
    update: (existing) => (wins(compareValues(operand, existing)) ? operand : existing),
    create: () => operand,
  });
}

export const OPERATORS: Record<string, OperationCompiler> = {
  $set: set,
  $setOnInsert: (operand, path) => ({ ...set(operand, path), insertOnly: true }),
  $unset: () => ({ update: () => undefined, lenient: true }),
  $inc: compileIncrement,
  $min: createMinOrMax((order) => order < 0),
  $max: createMinOrMax((order) => order > 0),
  ...ARRAY_OPERATORS,
};
