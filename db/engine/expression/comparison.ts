import { compare, compareNumbers, Int32, isNumber, isTruthy, UNDEFINED } from "../values/values.ts";
import {
  binary,
  type Compiler,
  constant,
  constantOf,
  type OperatorTable,
  type Result,
  unary,
} from "./env.ts";

/** MongoDB's total order with missing in it: it stands where undefined does, below null. */
export function compareResults(a: Result, b: Result): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  return compare(a ?? missing(a), b ?? missing(b));
}

function missing(value: undefined | null): null | typeof UNDEFINED {
  return value === null ? null : UNDEFINED;
}

function ordered(test: (order: number) => boolean): Compiler {
  return binary((left, right) => test(compareResults(left, right)));
}

/**
 * $and and $or stop at the first operand that decides; a constant that decides does so before the others
 * are evaluated at all.
 */
function junction(decisive: boolean): Compiler {
  return (argument, env) => {
    const operands = env.compileAll(argument);
    for (const operand of operands) {
      const known = constantOf(operand);
      if (known && isTruthy(known.value) === decisive) return constant(decisive);
    }
    return env.fold((scope) => {
      for (const operand of operands) if (isTruthy(operand(scope)) === decisive) return decisive;
      return !decisive;
    }, operands);
  };
}

export const COMPARISON_EXPRESSIONS: OperatorTable = {
  $and: junction(false),
  $cmp: binary((left, right) => new Int32(Math.sign(compareResults(left, right)))),
  $eq: ordered((order) => order === 0),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $ne: ordered((order) => order !== 0),
  $not: unary((value) => !isTruthy(value)),
  $or: junction(true),
};
