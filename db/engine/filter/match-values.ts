/**
 * Comparisons of one value against an operand, as filters mean them: only values of the operand's own class
 * are compared, null also stands for what is missing, and NaN equals NaN and is in no range. Each is compiled for its operand, because it runs once per document.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  compareNumbers,
  compareStrings,
  compareValues,
  fitsInt32,
  isEqual,
  isNumber,
  type NumberValue,
  ObjectId,
  requireInteger,
  toNumber,
  typeOrder,
  UtcDate,
  type Value,
} from "../values/values.ts";
import type { Test } from "./path.ts";
import { compileLiteral } from "./regex.ts";

type RangeOperator = "gt" | "gte" | "lt" | "lte";

function isNothing(value: Value | undefined): boolean {
  return value === undefined || value === null;
}

export function createEqualityTest(operand: Value): Test {
  if (operand === null) return isNothing;
  if (typeof operand === "string") return (value) => value === operand;
  if (isNumber(operand)) return (value) => isNumber(value) && compareNumbers(value, operand) === 0;
  if (operand instanceof ObjectId)
    return (value) => value instanceof ObjectId && value.bytes.equals(operand.bytes);
  return (value) => value !== undefined && isEqual(value, operand);
}

const HOLDS: Record<RangeOperator, (order: number) => boolean> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

export function createRangeTest(operator: RangeOperator, operand: Value): Test {
  const holds = HOLDS[operator];
  if (operand === null) return holds(0) ? isNothing : () => false;
  if (typeof operand === "string")
    return (value) => typeof value === "string" && holds(compareStrings(value, operand));
  if (isNumber(operand)) return createNumberRangeTest(operator, operand);
  if (operand instanceof UtcDate)
    return (value) => value instanceof UtcDate && holds(compareValues(value, operand));
  const order = typeOrder(operand);
  return (value) => value !== undefined && typeOrder(value) === order && holds(compareValues(value, operand));
}

function createNumberRangeTest(operator: RangeOperator, operand: NumberValue): Test {
  const holds = HOLDS[operator];
  if (Number.isNaN(operand)) return holds(0) ? Number.isNaN : () => false;
  return (value) => isNumber(value) && !Number.isNaN(value) && holds(compareNumbers(value, operand));
}

/** Strings and safe integers are looked up, the rest compared one by one. */
class Candidates {
  readonly #strings = new Set<string>();
  readonly #numbers = new Set<number>();
  readonly #ids = new Set<string>();
  readonly #others: Value[] = [];
  #nothing = false;

  constructor(values: Value[]) {
    for (const value of values) {
      if (value === null) this.#nothing = true;
      else if (typeof value === "string") this.#strings.add(value);
      else if (value instanceof ObjectId) this.#ids.add(value.bytes.toString("latin1"));
      else if (isExactAsDouble(value)) this.#numbers.add(toNumber(value));
      else this.#others.push(value);
    }
  }

  has(value: Value | undefined): boolean {
    if (isNothing(value)) return this.#nothing;
    if (typeof value === "string") return this.#strings.has(value);
    if (value instanceof ObjectId) return this.#ids.has(value.bytes.toString("latin1"));
    const item = present(value);
    return (isExactAsDouble(item) && this.#numbers.has(toNumber(item))) || this.#hasOther(item);
  }

  #hasOther(value: Value): boolean {
    for (const other of this.#others) if (isEqual(value, other)) return true;
    return false;
  }
}

/** True if no other number has the same double. */
function isExactAsDouble(value: Value): value is NumberValue {
  return isNumber(value) && !(Math.abs(toNumber(value)) > Number.MAX_SAFE_INTEGER);
}

export function createMembershipTest(operand: Value[]): Test {
  const candidates = new Candidates(operand);
  return (value) => candidates.has(value);
}

export function regexTest(pattern: string, options: string): Test {
  const test = compileLiteral(pattern, options);
  return (value) => typeof value === "string" && test(value);
}

export function sizeTest(operand: Value): Test {
  const size = Number(requireInteger(operand, 2, "Failed to parse $size. "));
  if (size < 0) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  if (!fitsInt32(size)) fail(2, `Failed to parse $size. Cannot represent as an integer: $size: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}
