import { compare, compareNumbers, isNumber, isTruthy, UNDEFINED } from "../values/values.ts";
import { binary, type Compiler, type OperatorTable, type Result, unary } from "./env.ts";

/** Compares by MongoDB's total order; a missing value comes before null. */
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

export const COMPARISON_EXPRESSIONS: OperatorTable = {
  $eq: ordered((order) => order === 0),
  $gt: ordered((order) => order > 0),
  $lte: ordered((order) => order <= 0),
  $not: unary((value) => !isTruthy(value)),
};
