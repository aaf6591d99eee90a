import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, doc, isDoc, typeName, type Value } from "../values/values.ts";
import {
  type Compiler,
  constant,
  constantOf,
  type Environment,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  unary,
} from "./env.ts";

function objectToArray(value: Result): Result {
  if (nullish(value)) return null;
  if (!isDoc(value)) fail(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
  return [...value].map(([k, v]) => doc({ k, v }));
}

function checkKey(key: string, code: number): void {
  if (key.includes("\0")) fail(code, "Key field cannot contain an embedded null byte");
}

function entryOfPair(pair: Value): [string, Value] {
  if (!Array.isArray(pair))
    fail(40396, `$arrayToObject requires a consistent input format, now found: ${typeName(pair)}`);
  if (pair.length !== 2)
    fail(40397, `$arrayToObject requires an array of size 2 arrays, found array of size: ${pair.length}`);
  if (typeof pair[0] !== "string")
    fail(40395, `$arrayToObject requires keys of type string. Found key type: ${typeName(pair[0])}`);
  checkKey(pair[0], 4940400);
  return [pair[0], present(pair[1])];
}

function entryOfDoc(entry: Value): [string, Value] {
  if (!isDoc(entry))
    fail(40391, `$arrayToObject requires a consistent input format, now found: ${typeName(entry)}`);
  if (entry.size !== 2)
    fail(40392, `$arrayToObject requires an object keys of 'k' and 'v'. Found ${entry.size} keys`);
  const k = entry.get("k");
  const v = entry.get("v");
  if (k === undefined || v === undefined)
    fail(40393, "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys");
  if (typeof k !== "string")
    fail(
      40394,
      `$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: ${typeName(k)}`,
    );
  checkKey(k, 4940401);
  return [k, v];
}

/** The first element says whether all are pairs or all are `{k, v}`. */
function arrayToObject(value: Result): Result {
  if (nullish(value)) return null;
  if (!Array.isArray(value)) fail(40386, `$arrayToObject requires an array input, found: ${typeName(value)}`);
  const [first] = value;
  if (value.length > 0 && !Array.isArray(first) && !isDoc(first))
    fail(40398, `Unrecognised input type format for $arrayToObject: ${typeName(first)}`);
  const entryOf = Array.isArray(first) ? entryOfPair : entryOfDoc;
  const out: Doc = new Map();
  for (const item of value) {
    const [name, field] = entryOf(item);
    out.set(name, field);
  }
  return out;
}

interface FieldCodes {
  path: number;
  notConstant: number;
  notString: number;
}

/** The name of a field: a literal, never read from a document. */
function fieldName(spec: Value, env: Environment, name: string, codes: FieldCodes): string {
  if (typeof spec === "string" && spec.startsWith("$"))
    fail(
      codes.path,
      `'${spec}' is a field path reference which is not allowed in this context. Did you mean {$literal: '${spec}'}?`,
    );
  const literal = isDoc(spec) && (spec.has("$literal") || spec.has("$const"));
  if ((isDoc(spec) && !literal) || Array.isArray(spec))
    fail(
      codes.notConstant,
      `${name} requires 'field' to evaluate to a constant, but got a non-constant argument`,
    );
  const value = constantOf(env.compile(spec))?.value;
  if (typeof value === "string") return value;
  fail(codes.notString, `${name} requires 'field' to evaluate to type String, but got ${typeName(value)}`);
}

const GET_CODES = { object: 3041701, unknown: 3041701, required: { field: 3041702, input: 3041703 } };
const GET_FIELD_CODES = { path: 5654600, notConstant: 5654601, notString: 5654602 };

function fieldOf(input: Expression, field: string): Expression {
  return (scope) => {
    const value = input(scope);
    if (isDoc(value)) return value.get(field);
    return value !== undefined && nullish(value) ? null : undefined;
  };
}

const getField: Compiler = (argument, env, name) => {
  const isShort = !isDoc(argument) || [...argument.keys()][0]?.startsWith("$");
  if (isShort) return fieldOf(env.variable("CURRENT"), fieldName(argument, env, name, GET_FIELD_CODES));
  const given = namedArguments(argument, name, GET_CODES);
  return fieldOf(
    env.compile(present(given.input)),
    fieldName(present(given.field), env, name, GET_FIELD_CODES),
  );
};

const SET_CODES = { field: 4161102, value: 4161103, input: 4161109 };
const UNSET_CODES = { field: 4161102, input: 4161109 };
const SET_FIELD_CODES = { path: 4161108, notConstant: 4161106, notString: 4161107 };

function setter(required: Readonly<Record<string, number>>): Compiler {
  return (argument, env, name) => {
    const given = namedArguments(argument, name, { object: 4161100, unknown: 4161101, required });
    const input = env.compile(present(given.input));
    const value = env.compileIfGiven(given.value) ?? constant(undefined);
    const field = fieldName(present(given.field), env, name, SET_FIELD_CODES);
    return (scope) => {
      const target = input(scope);
      if (nullish(target)) return null;
      if (!isDoc(target)) fail(4161105, `${name} requires 'input' to evaluate to type Object`);
      const out = new Map(target);
      const found = value(scope);
      if (found === undefined) out.delete(field);
      else out.set(field, found);
      return out;
    };
  };
}

export const OBJECT_EXPRESSIONS: OperatorTable = {
  $arrayToObject: unary(arrayToObject),
  $getField: getField,
  $objectToArray: unary(objectToArray),
  $setField: setter(SET_CODES),
  $unsetField: setter(UNSET_CODES),
};
