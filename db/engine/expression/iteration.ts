/** Operators that bind variables and evaluate an expression for each element: $map, $filter and their like. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isTruthy, typeName, type Value } from "../values/values.ts";
import {
  type Compiler,
  checkVariableName,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  type Scope,
} from "./env.ts";
import { asInt32, show } from "./numbers.ts";

/** The name after `as`; what is no string counts as an empty name and is refused. */
function elementVariable(as: Value | undefined): string {
  const name = as === undefined ? "this" : typeof as === "string" ? as : "";
  checkVariableName(name, false);
  return name;
}

function inputArray(value: Value, code: number, name: string): Value[] {
  return Array.isArray(value)
    ? value
    : fail(code, `input to ${name} must be an array not ${typeName(value)}`);
}

const MAX_STEPS = 2_000_000;

/** One document must not hold up everyone: loops inside loops end here. */
function visit(scope: Scope, count: number): void {
  scope.steps += count;
  if (scope.steps > MAX_STEPS) fail(50, `operation exceeded the limit of ${MAX_STEPS} array elements`);
}

const map: Compiler = (argument, env, name) => {
  const codes = { object: 16878, unknown: 16879, required: { input: 16880, in: 16882 }, optional: ["as"] };
  const given = namedArguments(argument, name, codes);
  const input = env.compile(present(given.input));
  const { env: inner, slot } = env.bind(elementVariable(given.as));
  const each = inner.compile(present(given.in));
  return (scope) => {
    const array = input(scope);
    if (nullish(array)) return null;
    const items = inputArray(array, 16883, name);
    visit(scope, items.length);
    return items.map((item) => {
      scope.locals[slot] = item;
      return each(scope) ?? null;
    });
  };
};

function filterLimit(value: Result): number {
  if (nullish(value)) return Number.POSITIVE_INFINITY;
  const limit =
    asInt32(value) ??
    fail(327391, `$filter: limit must be represented as a 32-bit integral value: ${show(value)}`);
  return limit > 0 ? limit : fail(327392, `$filter: limit must be greater than 0: ${limit}`);
}

const FILTER_CODES = {
  object: 28646,
  unknown: 28647,
  required: { input: 28648, cond: 28650 },
  optional: ["as", "limit"],
};

const filter: Compiler = (argument, env, name) => {
  const given = namedArguments(argument, name, FILTER_CODES);
  const input = env.compile(present(given.input));
  const limit = env.compileIfGiven(given.limit);
  const { env: inner, slot } = env.bind(elementVariable(given.as));
  const test = inner.compile(present(given.cond));
  return (scope) => {
    const array = input(scope);
    if (nullish(array)) return null;
    const items = inputArray(array, 28651, name);
    if (items.length === 0) return items;
    visit(scope, items.length);
    const most = limit ? filterLimit(limit(scope)) : Number.POSITIVE_INFINITY;
    return kept(items, most, scope, slot, test);
  };
};

function kept(items: Value[], most: number, scope: Scope, slot: number, test: Expression): Value[] {
  const out: Value[] = [];
  for (const item of items) {
    scope.locals[slot] = item;
    if (isTruthy(test(scope)) && out.push(item) >= most) break;
  }
  return out;
}

export const ITERATION_EXPRESSIONS: OperatorTable = {
  $filter: filter,
  $map: map,
};
