/** Dotted paths as expressions read them: into documents, and into every document of an array. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import type { Value } from "../values/values.ts";
import { checkVariableName, type Environment, type Expression, findConstant, type Result } from "./env.ts";

/** Returns the value at `parts[from…]` below `value`. An array gives the list of the values in its documents. */
function pathValue(value: Result, parts: readonly string[], from: number): Result {
  let node: Result = value;
  for (let i = from; i < parts.length; i++) {
    if (node instanceof Map) node = node.get(present(parts[i]));
    else if (Array.isArray(node)) return listItemValues(node, parts, i);
    else return undefined;
  }
  return node;
}

function listItemValues(items: Value[], parts: readonly string[], from: number): Value[] {
  const out: Value[] = [];
  for (const item of items) {
    if (!(item instanceof Map)) continue;
    const value = pathValue(item, parts, from);
    if (value !== undefined) out.push(value);
  }
  return out;
}

const DOLLAR_FIELDS = new Set(["$id", "$ref", "$db"]);

export function checkFieldName(name: string): void {
  if (name === "") fail(15998, "FieldPath field names may not be empty strings.");
  if (name.startsWith("$") && !DOLLAR_FIELDS.has(name))
    fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
  if (name.includes("\0")) fail(16411, "FieldPath field names may not contain '\\0'.");
  if (name.includes("."))
    fail(16412, "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
}

/** The components of a dotted path, each checked. */
export function splitPath(path: string): string[] {
  if (path === "") fail(40352, "FieldPath cannot be constructed with empty string");
  if (path.endsWith(".")) fail(40353, "FieldPath must not end with a '.'.");
  const parts = path.split(".");
  if (parts.length > 200) fail(15, "FieldPath is too long");
  for (const part of parts) checkFieldName(part);
  return parts;
}

/** `$a.b`, `$$variable` and `$$variable.a.b`. */
export function compilePath(text: string, env: Environment): Expression {
  if (text.length < 2) fail(16872, "'$' by itself is not a valid FieldPath");
  const isVariable = text[1] === "$";
  const path = text.slice(isVariable ? 2 : 1);
  const dot = path.indexOf(".");
  if (!isVariable) return compileFieldPath(env.root, splitPath(path), env);
  const name = dot < 0 ? path : path.slice(0, dot);
  checkVariableName(name, true);
  const variable = env.getVariable(name);
  return dot < 0 ? variable : compileFieldPath(variable, splitPath(path.slice(dot + 1)), env);
}

function compileFieldPath(start: Expression, parts: string[], env: Environment): Expression {
  const first = present(parts[0]);
  if (parts.length === 1 && !findConstant(start))
    return (scope) => {
      const node = start(scope);
      return node instanceof Map ? node.get(first) : pathValue(node, parts, 0);
    };
  return env.foldConstants((scope) => pathValue(start(scope), parts, 0), [start]);
}
