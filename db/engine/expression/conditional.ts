import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isDoc, isTruthy, type Value } from "../values/values.ts";
import { argumentList, type Compiler, constantOf, nullish, type OperatorTable } from "./env.ts";

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

export const CONDITIONAL_EXPRESSIONS: OperatorTable = {
  $cond: cond,
  $ifNull: ifNull,
};
