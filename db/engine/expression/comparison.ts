import { compareNumbers, compareValues, isNumber, isTruthy, UNDEFINED } from "../values/values.ts";
import { binary, type Compiler, type OperatorTable, type Result, unary } from "./env.ts";

/** Compares by MongoDB's total order; a missing value comes before null. */
export function compareResults(a: Result, b: Result): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  return compareValues(a ?? toComparable(a), b ?? toComparable(b));
}

function toComparable(value: undefined | null): null | typeof UNDEFINED {
  return value === null ? null : UNDEFINED;
}

function createComparison(test: (order: number) => boolean): Compiler {
  return binary((left, right) => test(compareResults(left, right)));
}

export const COMPARISON_EXPRESSIONS: OperatorTable = {
  $eq: createComparison((order) => order === 0),
  $gt: createComparison((order) => order > 0),
  $lte: createComparison((order) => order <= 0),
  $not: unary((value) => !isTruthy(value)),
};
