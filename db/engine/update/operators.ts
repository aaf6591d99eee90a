/**
 * What each update operator does to one value. An operator is compiled with its operand; then it says what
 * becomes of a value that is there, and what it makes where there is none.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  compare,
  Int32,
  isNumber,
  type NumberValue,
  Timestamp,
  typeName,
  UtcDate,
  type Value,
} from "../values/values.ts";
import { ARRAY_OPERATORS } from "./arrays.ts";
import { add, BITWISE, isIntegral, multiply } from "./numbers.ts";
import type { Operation, OperationCompiler } from "./operation.ts";

const set: OperationCompiler = (operand) => ({ update: () => operand, create: () => operand });

function arithmetic(
  name: string,
  verb: string,
  apply: (a: NumberValue, b: NumberValue) => NumberValue | undefined,
  initial: (operand: NumberValue) => NumberValue,
): OperationCompiler {
  return (operand, path) => {
    if (!isNumber(operand))
      fail(14, `Cannot ${verb} with non-numeric argument: {${path}: ${typeName(operand)}}`);
    return {
      update(existing) {
        if (!isNumber(existing))
          fail(14, `Cannot apply ${name} to a value of non-numeric type ${typeName(existing)} at '${path}'`);
        const result =
          apply(existing, operand) ??
          fail(2, `Failed to apply ${name} operations to the current value of '${path}'`);
        // A zero of the other sign is no change.
        return result === existing ? existing : result;
      },
      create: () => initial(operand),
    };
  };
}

function extreme(wins: (order: number) => boolean): OperationCompiler {
  return (operand) => ({
    update: (existing) => (wins(compare(operand, existing)) ? operand : existing),
    create: () => operand,
  });
}

/** A timestamp of the given millisecond. */
export function timestampOf(now: bigint): Timestamp {
  return new Timestamp(((now / 1000n) << 32n) | 1n);
}

const CURRENT: Record<string, (now: bigint) => Value> = {
  date: (now) => new UtcDate(now),
  timestamp: timestampOf,
};

function currentDate(operand: Value): Operation {
  const make = present(CURRENT[currentDateType(operand)]);
  return { update: (_, { now }) => make(now), create: ({ now }) => make(now) };
}

function currentDateType(operand: Value): string {
  if (typeof operand === "boolean") return "date";
  if (!(operand instanceof Map))
    fail(
      2,
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  for (const name of operand.keys())
    if (name !== "$type") fail(2, `Unrecognized $currentDate option: ${name}`);
  const type = operand.get("$type");
  if (type !== "date" && type !== "timestamp")
    fail(
      2,
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
    );
  return type;
}

function bit(operand: Value, path: string): Operation {
  if (!(operand instanceof Map))
    fail(
      2,
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  if (operand.size === 0)
    fail(
      2,
      "You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}",
    );
  const steps = [...operand].map(([name, mask]) => {
    if (!Object.hasOwn(BITWISE, name))
      fail(
        2,
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator`,
      );
    if (!isIntegral(mask))
      fail(
        2,
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(mask)}' is not supported here`,
      );
    return { apply: present(BITWISE[name]), mask };
  });
  const run = (start: Int32 | bigint) => steps.reduce((value, { apply, mask }) => apply(value, mask), start);
  return {
    update(existing) {
      if (!isIntegral(existing))
        fail(2, `Cannot apply $bit to a value of non-integral type ${typeName(existing)} at '${path}'`);
      return run(existing);
    },
    create: () => run(new Int32(0)),
  };
}

export const OPERATORS: Record<string, OperationCompiler> = {
  $set: set,
  $setOnInsert: (operand, path) => ({ ...set(operand, path), insertOnly: true }),
  $unset: () => ({ update: () => undefined, lenient: true }),
  $inc: arithmetic("$inc", "increment", add, (operand) => operand),
  $mul: arithmetic("$mul", "multiply", multiply, (operand) => present(multiply(new Int32(0), operand))),
  $min: extreme((order) => order < 0),
  $max: extreme((order) => order > 0),
  $currentDate: currentDate,
  $bit: bit,
  ...ARRAY_OPERATORS,
};
