/** $group: one state per accumulator and group, grouped by exact equality. */

import type { Expression, Scope } from "../expression/env.ts";
import { compileExpression, createScope } from "../expression/expression.ts";
import { measureValue } from "../expression/size.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, type Value } from "../values/values.ts";
import { type Accumulator, First, Pushed, Sum } from "./accumulators.ts";
import { valueKey } from "./key.ts";
import { HeldMemory, pushDocuments } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

const ACCUMULATORS: Readonly<Record<string, () => Accumulator>> = {
  $first: () => new First(),
  $push: () => new Pushed(),
  $sum: () => new Sum(),
};

export const ACCUMULATOR_OPERATORS: readonly string[] = Object.keys(ACCUMULATORS);

interface Field {
  name: string;
  start: () => Accumulator;
  expression: Expression;
}

function parseAccumulatorField(name: string, spec: Value): Field {
  const first = isDoc(spec) ? [...spec.keys()][0] : undefined;
  if (!isDoc(spec) || !first?.startsWith("$"))
    fail(40234, `The field '${name}' must be an accumulator object`);
  if (name.includes(".")) fail(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith("$")) fail(40236, `The field name '${name}' cannot be an operator name`);
  if (spec.size !== 1) fail(40238, `The field '${name}' must specify one accumulator`);
  const argument = present(spec.get(first));
  if (Array.isArray(argument)) fail(40237, `The ${first} accumulator is a unary operator`);
  if (!Object.hasOwn(ACCUMULATORS, first)) fail(15952, `unknown group operator '${first}'`);
  return { name, start: present(ACCUMULATORS[first]), expression: compileExpression(argument) };
}

/** One group: its key and the states of its fields. */
class Group {
  readonly #key: Value;
  readonly #states: { name: string; expression: Expression; state: Accumulator }[];

  constructor(key: Value, fields: readonly Field[]) {
    this.#key = key;
    this.#states = fields.map(({ name, expression, start }) => ({ name, expression, state: start() }));
  }

  /** Adds a document to the group and returns by how many bytes the group grew. */
  add(scope: Scope): number {
    let grown = 0;
    for (const { expression, state } of this.#states) {
      const before = state.bytes;
      state.add(expression(scope));
      grown += state.bytes - before;
    }
    return grown;
  }

  toDocument(): Doc {
    const out: Doc = new Map([["_id", this.#key]]);
    for (const { name, state } of this.#states) out.set(name, state.getResult());
    return out;
  }
}

/** In a plain key or a key of one part, a missing value counts as null. In a longer key, missing and null are different. */
function compileKey(spec: Value): Expression {
  const [name] = isDoc(spec) ? spec.keys() : [];
  if (!isDoc(spec) || name === undefined || name.startsWith("$")) return compileExpression(spec);
  for (const value of spec.values())
    if (isNumber(value) || typeof value === "boolean")
      fail(17390, "$group does not support inclusion-style expressions");
  const key = compileExpression(spec);
  if (spec.size > 1) return key;
  return (scope) => {
    const keyDocument = key(scope) as Doc;
    return keyDocument.size === 0 ? new Map([[name, null]]) : keyDocument;
  };
}

const STATE_BYTES = 128;

export function compileGroup(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15947, "a group's fields must be specified in an object");
  const id = spec.get("_id");
  if (id === undefined) fail(15955, "a group specification must include an _id");
  const keyOf = compileKey(id);
  const fields = [...spec]
    .filter(([name]) => name !== "_id")
    .map(([name, value]) => parseAccumulatorField(name, value));
  const groups = new Map<string, Group>();
  const memory = new HeldMemory("$group");
  const findOrCreateGroup = (key: Value) => {
    const text = valueKey(key);
    const existing = groups.get(text);
    if (existing) return existing;
    memory.add(STATE_BYTES * (fields.length + 1) + text.length + measureValue(key));
    const fresh = new Group(key, fields);
    groups.set(text, fresh);
    return fresh;
  };
  return {
    push(document) {
      const scope = createScope(document);
      memory.add(findOrCreateGroup(keyOf(scope) ?? null).add(scope));
      return true;
    },
    finish: (next) => pushDocuments(toDocuments(groups.values()), next, context),
  };
}

function* toDocuments(groups: Iterable<Group>): Generator<Doc> {
  for (const each of groups) yield each.toDocument();
}
