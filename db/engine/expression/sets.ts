/** Sets are arrays without order and repetition; unions and intersections come out in MongoDB's order. */

import { valueKey } from "../aggregate/key.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { compare, isTruthy, typeName, type Value } from "../values/values.ts";
import {
  argumentList,
  binary,
  type Compiler,
  nullish,
  type OperatorTable,
  type Result,
  unary,
  variadic,
} from "./env.ts";

function arrayOperand(value: Result, code: number, message: string): Value[] {
  return Array.isArray(value) ? value : fail(code, `${message} is of type: ${typeName(value)}`);
}

function keysOf(items: Value[]): Set<string> {
  return new Set(items.map(valueKey));
}

function distinct(items: Value[]): Value[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = valueKey(item);
    return !seen.has(key) && seen.add(key);
  });
}

function setUnion(values: Result[]): Result {
  const all: Value[] = [];
  for (const value of values) {
    if (nullish(value)) return null;
    for (const item of arrayOperand(value, 17043, "All operands of $setUnion must be arrays. One argument"))
      all.push(item);
  }
  return distinct(all).sort(compare);
}

function setIntersection(values: Result[]): Result {
  let common: Value[] | undefined;
  for (const value of values) {
    if (nullish(value)) return null;
    const message = "All operands of $setIntersection must be arrays. One argument";
    const items = arrayOperand(value, 17047, message);
    const keys = keysOf(items);
    common = common ? common.filter((item) => keys.has(valueKey(item))) : items;
  }
  return distinct(common ?? []).sort(compare);
}

function setDifference(left: Result, right: Result): Result {
  if (nullish(left) || nullish(right)) return null;
  const message = "both operands of $setDifference must be arrays.";
  const items = arrayOperand(left, 17048, `${message} First argument`);
  const without = keysOf(arrayOperand(right, 17049, `${message} Second argument`));
  return distinct(items).filter((item) => !without.has(valueKey(item)));
}

function setIsSubset(left: Result, right: Result): boolean {
  const message = "both operands of $setIsSubset must be arrays.";
  const items = arrayOperand(left, 17046, `${message} First argument`);
  const whole = keysOf(arrayOperand(right, 17042, `${message} Second argument`));
  return items.every((item) => whole.has(valueKey(item)));
}

const setEquals: Compiler = (argument, env) => {
  const { length } = argumentList(argument);
  if (length < 2) fail(17045, `$setEquals needs at least two arguments had: ${length}`);
  const operands = env.compileAll(argument);
  return env.fold((scope) => {
    const message = "All operands of $setEquals must be arrays. One argument";
    const sets = operands.map((operand) => keysOf(arrayOperand(operand(scope), 17044, message)));
    return sets.every(
      (set) => set.size === present(sets[0]).size && [...set].every((key) => present(sets[0]).has(key)),
    );
  }, operands);
};

export const SET_EXPRESSIONS: OperatorTable = {
  $allElementsTrue: unary((value, name) => arrayOperand(value, 17040, `${name}'s argument`).every(isTruthy)),
  $anyElementTrue: unary((value, name) => arrayOperand(value, 17041, `${name}'s argument`).some(isTruthy)),
  $setDifference: binary(setDifference),
  $setEquals: setEquals,
  $setIntersection: variadic(setIntersection),
  $setIsSubset: binary(setIsSubset),
  $setUnion: variadic(setUnion),
};
