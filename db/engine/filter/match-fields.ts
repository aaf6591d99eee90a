/**
 * The operators under a field name, `{ field: { $gt: 1, $lt: 5 } }`, as conditions that do not know their
 * path yet: bound to a path they look for a value in a document, inside $elemMatch they judge one element.
 */

import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isTruthy, type Value } from "../values/values.ts";
import {
  createEqualityTest,
  createMembershipTest,
  createRangeTest,
  regexTest,
  sizeTest,
} from "./match-values.ts";
import type { Holder, Test } from "./path.ts";

type ValueOperator =
  | "eq"
  | "ne"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "nin"
  | "exists"
  | "regex"
  | "size"
  | "elemMatch"
  | "not";

/** An operator and what it compares with. */
export type FieldConjunct = { op: ValueOperator; operand: Value } | { op: "in" | "all"; operand: Value[] };

export interface Condition {
  /** All must hold. With `elements`, a test is also asked about each element of an array. */
  tests: { test: Test; elements: boolean }[];
  nested?: Condition[];
  /** The whole is turned round: nothing under the path may meet it. */
  negated?: boolean;
  conjuncts: FieldConjunct[];
}

/** What conditions need of whole queries: the object form of $elemMatch holds one. */
export interface Surroundings {
  parseElement(query: Doc): (root: Holder) => boolean;
  isQueryOperator(name: string): boolean;
}

/** True if the first field of a document is an operator. */
export function isOperatorDocument(value: Value): value is Doc {
  if (!(value instanceof Map)) return false;
  const [first] = value.keys();
  return first?.startsWith("$") === true;
}

type ConditionParser = (operand: Value, siblings: Doc, around: Surroundings) => Condition;

function one(op: ValueOperator, operand: Value, test: Test, elements = true): Condition {
  return { tests: [{ test, elements }], conjuncts: [{ op, operand }] };
}

function createListCondition(
  op: "in" | "all",
  operand: Value[],
  toTest: (values: Value[]) => Test,
): Condition {
  return { tests: [{ test: toTest(operand), elements: true }], conjuncts: [{ op, operand }] };
}

function createNegatedCondition(op: ValueOperator, operand: Value, test: Test): Condition {
  return { ...one(op, operand, test), negated: true };
}

function createRangeParser(op: "gt" | "gte" | "lt" | "lte"): ConditionParser {
  return (operand) => one(op, operand, createRangeTest(op, operand));
}

function requireList(name: string, operand: Value): Value[] {
  if (!Array.isArray(operand)) fail(2, `${name} needs an array`);
  if (name !== "$all" && operand.some(isOperatorDocument)) fail(2, "cannot nest $ under $in");
  return operand;
}

const PARSERS: Record<string, ConditionParser> = {
  $eq: (operand) => one("eq", operand, createEqualityTest(operand)),
  $ne: (operand) => createNegatedCondition("ne", operand, createEqualityTest(operand)),
  $gt: createRangeParser("gt"),
  $gte: createRangeParser("gte"),
  $lt: createRangeParser("lt"),
  $lte: createRangeParser("lte"),
  $in: (operand) => createListCondition("in", requireList("$in", operand), createMembershipTest),
  $nin: (operand) =>
    createNegatedCondition("nin", operand, createMembershipTest(requireList("$nin", operand))),
  $exists(operand) {
    const wanted = isTruthy(operand);
    return (wanted ? one : createNegatedCondition)("exists", wanted, (value) => value !== undefined);
  },
  $size: (operand) => one("size", operand, sizeTest(operand), false),
  $regex: parseRegex,
  $options(_, siblings) {
    if (!siblings.has("$regex")) fail(2, "$options needs a $regex");
    return { tests: [], conjuncts: [] };
  },
  $not: parseNot,
  $all: parseAll,
  $elemMatch: (operand, _, around) => one("elemMatch", operand, elementMatch(operand, around), false),
};

export const FIELD_OPERATORS: readonly string[] = Object.keys(PARSERS);

/** True for operators on a field, except $not. */
export function isFieldOperator(name: string): boolean {
  return name !== "$not" && Object.hasOwn(PARSERS, name);
}

export function parseConditions(operators: Doc, around: Surroundings): Condition[] {
  const out: Condition[] = [];
  for (const [name, operand] of operators) {
    if (!Object.hasOwn(PARSERS, name)) fail(2, `unknown operator: ${name}`);
    out.push(present(PARSERS[name])(operand, operators, around));
  }
  return out.filter((condition) => condition.conjuncts.length > 0);
}

function parseRegex(operand: Value, siblings: Doc): Condition {
  const options = siblings.get("$options") ?? "";
  if (typeof options !== "string") fail(2, "$options has to be a string");
  if (typeof operand !== "string") fail(2, "$regex has to be a string");
  return one("regex", operand, regexTest(operand, options));
}

function parseNot(operand: Value, _: Doc, around: Surroundings): Condition {
  if (!(operand instanceof Map)) fail(2, "$not needs a document");
  if (operand.size === 0) fail(2, "$not cannot be empty");
  return {
    tests: [],
    nested: parseConditions(operand, around),
    negated: true,
    conjuncts: [{ op: "not", operand }],
  };
}

function getFirstFieldName(value: Value): string | undefined {
  return value instanceof Map ? value.keys().next().value : undefined;
}

function parseAll(operand: Value): Condition {
  const items = requireList("$all", operand);
  if (items.length === 0) return createListCondition("all", items, () => () => false);
  const tests: Condition["tests"] = [];
  for (const item of items) {
    const name = getFirstFieldName(item);
    if (name === "$elemMatch") failUnsupported("$elemMatch in $all");
    if (name !== undefined && isFieldOperator(name)) fail(2, "no $ expressions in $all");
    tests.push({ test: createEqualityTest(item), elements: true });
  }
  return { tests, conjuncts: [{ op: "all", operand: items }] };
}

/** Tests if one element of an array meets all conditions, and records its index as the position of the match. */
function elementMatch(operand: Value, around: Surroundings): Test {
  if (!(operand instanceof Map)) fail(2, "$elemMatch needs an Object");
  const accepts = testsValues(operand, around)
    ? elementTest(parseConditions(operand, around))
    : documentTest(around.parseElement(operand));
  return (value, trail) => {
    if (!Array.isArray(value)) return false;
    const index = value.findIndex((item) => accepts(item, undefined));
    if (index < 0) return false;
    if (trail) trail.index = index;
    return true;
  };
}

function testsValues(operand: Doc, around: Surroundings): boolean {
  return isOperatorDocument(operand) && !around.isQueryOperator(present(getFirstFieldName(operand)));
}

/** Treats an array as a document whose field names are its indexes. */
function documentTest(matches: (root: Holder) => boolean): Test {
  return (value) => (value instanceof Map || Array.isArray(value)) && matches(value);
}

function elementTest(conditions: Condition[]): Test {
  const tests = conditions.map(({ tests: own, nested, negated }): Test => {
    const inner = elementTest(nested ?? []);
    const holds: Test = (value) => own.every(({ test }) => test(value, undefined)) && inner(value, undefined);
    return negated ? (value) => !holds(value, undefined) : holds;
  });
  if (tests.length === 0) return () => true;
  return (value) => tests.every((test) => test(value, undefined));
}
