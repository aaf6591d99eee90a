/** A value as it stands, and whole numbers and dates as int64. */
import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { Int32, typeName, UtcDate } from "../values/values.ts";
import {
  argumentList,
  type Compiler,
  createConstant,
  isNullish,
  type OperatorTable,
  type Result,
} from "./env.ts";

function toLong(value: Result): bigint | null {
  if (isNullish(value)) return null;
  if (typeof value === "bigint") return value;
  if (value instanceof Int32) return BigInt(value.value);
  if (value instanceof UtcDate) return value.ms;
  failUnsupported(`$toLong of a value of the type ${typeName(value)}`);
}

const compileToLong: Compiler = (argument, env, name) => {
  const list = argumentList(argument);
  if (list.length !== 1) fail(50723, `${name} requires a single argument, got ${list.length}`);
  const input = env.compile(present(list[0]));
  return env.foldConstants((scope) => toLong(input(scope)), [input]);
};

const literal: Compiler = (argument) => createConstant(argument);

export const TYPE_EXPRESSIONS: OperatorTable = {
  $literal: literal,
  $toLong: compileToLong,
};
