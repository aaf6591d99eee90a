/** Operators that bind variables and evaluate an expression for each element: $map, $filter and their like. */

import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isTruthy, typeName, type Value } from "../values/values.ts";
import {
  type Compiler,
  checkVariableName,
  isNullish,
  namedArguments,
  type OperatorTable,
  type Scope,
} from "./env.ts";

/** The name after `as`; what is no string counts as an empty name and is refused. */
function elementVariable(as: Value | undefined): string {
  const name = as === undefined ? "this" : typeof as === "string" ? as : "";
  checkVariableName(name, false);
  return name;
}

function requireArray(value: Value, code: number, name: string): Value[] {
  return Array.isArray(value)
    ? value
    : fail(code, `input to ${name} must be an array not ${typeName(value)}`);
}

const MAX_STEPS = 2_000_000;

/** Counts the visited elements and fails above a limit, so that nested loops over one document cannot block the engine. */
function countSteps(scope: Scope, count: number): void {
  scope.steps += count;
  if (scope.steps > MAX_STEPS) fail(50, `operation exceeded the limit of ${MAX_STEPS} array elements`);
}

const compileMap: Compiler = (argument, env, name) => {
  const codes = { object: 16878, unknown: 16879, required: { input: 16880, in: 16882 }, optional: ["as"] };
  const named = namedArguments(argument, name, codes);
  const input = env.compile(present(named.input));
  const { env: inner, slot } = env.bindVariable(elementVariable(named.as));
  const each = inner.compile(present(named.in));
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const items = requireArray(array, 16883, name);
    countSteps(scope, items.length);
    return items.map((item) => {
      scope.locals[slot] = item;
      return each(scope) ?? null;
    });
  };
};

const compileFilterOperator: Compiler = (argument, env, name) => {
  const codes = { object: 28646, unknown: 28647, required: { input: 28648, cond: 28650 }, optional: ["as"] };
  if (argument instanceof Map && argument.has("limit")) failUnsupported("$filter with a limit");
  const named = namedArguments(argument, name, codes);
  const input = env.compile(present(named.input));
  const { env: inner, slot } = env.bindVariable(elementVariable(named.as));
  const test = inner.compile(present(named.cond));
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const items = requireArray(array, 28651, name);
    countSteps(scope, items.length);
    return items.filter((item) => {
      scope.locals[slot] = item;
      return isTruthy(test(scope));
    });
  };
};

export const ITERATION_EXPRESSIONS: OperatorTable = {
  $filter: compileFilterOperator,
  $map: compileMap,
};
