import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isDoc, isTruthy, typeName, type Value } from "../values/values.ts";
import {
  argumentList,
  type Compiler,
  constantOf,
  type Environment,
  type Expression,
  nullish,
  type OperatorTable,
} from "./env.ts";

/** The parts of $cond in the order of its list form, each with the error for its absence. */
const COND_PARTS: ReadonlyMap<string, number> = new Map([
  ["if", 17080],
  ["then", 17081],
  ["else", 17082],
]);

function condArguments(argument: Value): Value[] {
  if (!isDoc(argument)) {
    const list = argumentList(argument);
    if (list.length !== 3)
      fail(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`);
    return list;
  }
  for (const field of argument.keys())
    if (!COND_PARTS.has(field)) fail(17083, `Unrecognized parameter to $cond: ${field}`);
  return [...COND_PARTS].map(([field, code]) => {
    const value = argument.get(field);
    return value === undefined ? fail(code, `Missing '${field}' parameter to $cond`) : value;
  });
}

const cond: Compiler = (argument, env) => {
  const [test, then, otherwise] = env.compileThree(condArguments(argument));
  const known = constantOf(test);
  if (known) return isTruthy(known.value) ? then : otherwise;
  return (scope) => (isTruthy(test(scope)) ? then(scope) : otherwise(scope));
};

const ifNull: Compiler = (argument, env) => {
  const { length } = argumentList(argument);
  if (length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${length}`);
  const operands = env.compileAll(argument);
  const last = present(operands[operands.length - 1]);
  const first = operands.slice(0, -1);
  return env.fold((scope) => {
    for (const operand of first) {
      const value = operand(scope);
      if (!nullish(value)) return value;
    }
    return last(scope);
  }, operands);
};

interface Branch {
  test: Expression;
  outcome: Expression;
}

function branchParts(branch: Value): { test: Value; outcome: Value } {
  if (!isDoc(branch)) fail(40062, `$switch expected each branch to be an object, found: ${typeName(branch)}`);
  for (const field of branch.keys())
    if (field !== "case" && field !== "then")
      fail(40063, `$switch found an unknown argument to a branch: ${field}`);
  const test = branch.get("case");
  const outcome = branch.get("then");
  if (test === undefined) fail(40064, "$switch requires each branch have a 'case' expression");
  if (outcome === undefined) fail(40065, "$switch requires each branch have a 'then' expression.");
  return { test, outcome };
}

/** Branches behind a constant that is true can never be taken: they are checked and left out. */
function compileBranches(specs: Value[], env: Environment): Branch[] {
  const branches: Branch[] = [];
  let isDecided = false;
  for (const spec of specs) {
    const parts = branchParts(spec);
    const unused = env.unfolded();
    const test = (isDecided ? unused : env).compile(parts.test);
    const known = isDecided ? undefined : constantOf(test);
    const isDead = isDecided || (known !== undefined && !isTruthy(known.value));
    const outcome = (isDead ? unused : env).compile(parts.outcome);
    if (!isDead) branches.push({ test, outcome });
    if (!isDead && known) isDecided = true;
  }
  return branches;
}

const NO_BRANCH = "$switch could not find a matching branch for an input, and no default was specified.";

const switchOperator: Compiler = (argument, env) => {
  if (!isDoc(argument))
    fail(40060, `$switch requires an object as an argument, found: ${typeName(argument)}`);
  for (const field of argument.keys())
    if (field !== "branches" && field !== "default")
      fail(40067, `$switch found an unknown argument: ${field}`);
  const specs = argument.get("branches") ?? [];
  if (!Array.isArray(specs))
    fail(40061, `$switch expected an array for 'branches', found: ${typeName(specs)}`);
  const otherwise = env.compileIfGiven(argument.get("default"));
  if (specs.length === 0) fail(40068, "$switch requires at least one branch.");
  const branches = compileBranches(specs, env);
  if (branches.length === 0)
    return otherwise ?? fail(40069, "Cannot execute a switch where all cases are false without a default");
  return env.fold(
    (scope) => {
      for (const { test, outcome } of branches) if (isTruthy(test(scope))) return outcome(scope);
      return otherwise ? otherwise(scope) : fail(40066, NO_BRANCH);
    },
    [otherwise, ...branches.flatMap(({ test, outcome }) => [test, outcome])],
  );
};

export const CONDITIONAL_EXPRESSIONS: OperatorTable = {
  $cond: cond,
  $ifNull: ifNull,
  $switch: switchOperator,
};
