import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isDoc, isTruthy, type Value } from "../values/values.ts";
import { argumentList, type Compiler, findConstant, isNullish, type OperatorTable } from "./env.ts";

function condArguments(argument: Value): Value[] {
  if (isDoc(argument)) failUnsupported("$cond with named parts");
  const list = argumentList(argument);
  if (list.length !== 3)
    fail(16020, `Expression $cond takes exactly 3 arguments. ${list.length} were passed in.`);
  return list;
}

const compileCond: Compiler = (argument, env) => {
  const [test, then, otherwise] = env.compileThree(condArguments(argument));
  const constant = findConstant(test);
  if (constant) return isTruthy(constant.value) ? then : otherwise;
  return (scope) => (isTruthy(test(scope)) ? then(scope) : otherwise(scope));
};

const ifNull: Compiler = (argument, env) => {
  const { length } = argumentList(argument);
  if (length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${length}`);
  const operands = env.compileAll(argument);
  const last = present(operands[operands.length - 1]);
  const first = operands.slice(0, -1);
  return env.foldConstants((scope) => {
    for (const operand of first) {
      const value = operand(scope);
      if (!isNullish(value)) return value;
    }
    return last(scope);
  }, operands);
};

export const CONDITIONAL_EXPRESSIONS: OperatorTable = {
  $cond: compileCond,
  $ifNull: ifNull,
};
