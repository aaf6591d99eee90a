/** Operators that bind variables and evaluate an expression for each element: $map, $filter and their like. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isTruthy, typeName, type Value } from "../values/values.ts";
import {
  type Compiler,
  checkVariableName,
  type Environment,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  type Scope,
} from "./env.ts";
import { asInt32, show } from "./numbers.ts";
import { checkBuilt } from "./size.ts";

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

const MAX_LOOP_MS = 5_000;

const map: Compiler = (argument, env, name) => {
  const codes = { object: 16878, unknown: 16879, required: { input: 16880, in: 16882 }, optional: ["as"] };
  const given = namedArguments(argument, name, codes);
  const input = env.compile(present(given.input));
  const bound = env.bind([elementVariable(given.as)]);
  const each = bound.env.compile(present(given.in));
  const slot = present(bound.slots[0]);
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
  const bound = env.bind([elementVariable(given.as)]);
  const test = bound.env.compile(present(given.cond));
  const slot = present(bound.slots[0]);
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

const reduce: Compiler = (argument, env, name) => {
  const codes = { object: 40075, unknown: 40076, required: { input: 40077, initialValue: 40078, in: 40079 } };
  const given = namedArguments(argument, name, codes);
  const input = env.compile(present(given.input));
  const initial = env.compile(present(given.initialValue));
  const bound = env.bind(["this", "value"]);
  const step = bound.env.compile(present(given.in));
  const [thisSlot, valueSlot] = [present(bound.slots[0]), present(bound.slots[1])];
  return (scope) => {
    const array = input(scope);
    if (nullish(array)) return null;
    const items = inputArray(array, 40080, name);
    visit(scope, items.length);
    const until = performance.now() + MAX_LOOP_MS;
    let value = initial(scope);
    for (const item of items) {
      const before = value;
      scope.locals[thisSlot] = item;
      scope.locals[valueSlot] = before;
      value = step(scope);
      if (value !== before) checkBuilt(value);
      if (performance.now() > until) fail(50, `$reduce took more than ${MAX_LOOP_MS} ms`);
    }
    return value;
  };
};

const letOperator: Compiler = (argument, env, name) => {
  const codes = { object: 16874, unknown: 16875, required: { vars: 16876, in: 16877 } };
  const given = namedArguments(argument, name, codes);
  if (!isDoc(given.vars))
    fail(10065, `invalid parameter: expected an object (vars), found ${typeName(given.vars)}`);
  return bindVariables(given.vars, present(given.in), env);
};

/** Every variable is computed before the first one is bound: they do not see each other. */
function bindVariables(vars: Doc, body: Value, env: Environment): Expression {
  const names = [...vars.keys()];
  const values = names.map((variable) => env.compile(present(vars.get(variable))));
  for (const variable of names) checkVariableName(variable, false);
  const bound = env.bind(names);
  const inner = bound.env.compile(body);
  return (scope) => {
    const found = values.map((value) => value(scope));
    bound.slots.forEach((slot, i) => {
      scope.locals[slot] = found[i];
    });
    return inner(scope);
  };
}

interface ZipSettings {
  useLongest: boolean;
  defaults: Expression[];
}

const NO_INPUT = "$zip requires at least one input array";

function zipSettings(argument: Doc, env: Environment): ZipSettings {
  for (const field of argument.keys())
    if (!["inputs", "defaults", "useLongestLength"].includes(field))
      fail(34464, `$zip found an unknown argument: ${field}`);
  const defaults = argument.get("defaults") ?? [];
  const useLongest = argument.get("useLongestLength") ?? false;
  if (!Array.isArray(defaults))
    fail(34462, `defaults must be an array of expressions, found ${typeName(defaults)}`);
  if (typeof useLongest !== "boolean")
    fail(34463, `useLongestLength must be a bool, found ${typeName(useLongest)}`);
  if (!useLongest && defaults.length > 0)
    fail(34466, "cannot specify defaults unless useLongestLength is true");
  return { useLongest, defaults: defaults.map((item) => env.compile(item)) };
}

function checkInputCount(inputs: number, { defaults }: ZipSettings): void {
  if (inputs === 0) fail(34465, NO_INPUT);
  if (defaults.length > 0 && defaults.length !== inputs)
    fail(34467, "defaults and inputs must have the same length");
}

function zipped(arrays: Value[][], settings: ZipSettings, scope: Scope): Value[] {
  const lengths = arrays.map((array) => array.length);
  const length = settings.useLongest ? Math.max(...lengths) : Math.min(...lengths);
  visit(scope, length * arrays.length);
  const defaults = settings.defaults.map((item) => item(scope) ?? null);
  const rows = Array.from({ length }, (_, row) =>
    arrays.map((array, column) => array[row] ?? (row < array.length ? null : (defaults[column] ?? null))),
  );
  checkBuilt(rows);
  return rows;
}

/** `inputs` may also be one expression that gives the array of arrays. */
const zip: Compiler = (argument, env) => {
  if (!isDoc(argument))
    fail(34460, `$zip only supports an object as an argument, found ${typeName(argument)}`);
  const settings = zipSettings(argument, env);
  const given = argument.get("inputs") ?? fail(34465, NO_INPUT);
  const inputs = env.compile(given);
  if (Array.isArray(given)) checkInputCount(given.length, settings);
  return (scope) => {
    const arrays = inputs(scope);
    if (!Array.isArray(arrays))
      fail(34461, `inputs must be an array of expressions, found ${typeName(arrays)}`);
    checkInputCount(arrays.length, settings);
    if (arrays.some(nullish)) return null;
    for (const array of arrays)
      if (!Array.isArray(array)) fail(34468, `$zip found a non-array expression in input: ${show(array)}`);
    return zipped(arrays as Value[][], settings, scope);
  };
};

export const ITERATION_EXPRESSIONS: OperatorTable = {
  $filter: filter,
  $let: letOperator,
  $map: map,
  $reduce: reduce,
  $zip: zip,
};
