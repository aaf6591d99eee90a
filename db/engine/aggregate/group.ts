/** $group and what is made of it: one state per accumulator and group, grouped by exact equality. */

import { type Expression, namedArguments, type Scope } from "../expression/env.ts";
import { compileExpression, newScope, type Variables } from "../expression/expression.ts";
import { valueBytes } from "../expression/size.ts";
import { parseSort, sortTuple } from "../search/sort.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, Int32, isDoc, isNumber, typeName, type Value } from "../values/values.ts";
import {
  type Accumulator,
  Average,
  DistinctValues,
  Extreme,
  First,
  FirstN,
  Last,
  LastN,
  MergedObjects,
  Pushed,
  positiveCount,
  StandardDeviation,
  Sum,
} from "./accumulators.ts";
import { OrderedN, PlacedN } from "./best.ts";
import { valueKey } from "./key.ts";
import { HeldMemory, release } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

/** The state of one accumulator in one group. */
interface GroupState {
  readonly bytes: number;
  add(scope: Scope): void;
  result(): Value;
}

/** Starts the state for a new group, whose key the accumulator's `n` may look at. */
type Start = (key: Value, now: bigint) => GroupState;
type AccumulatorCompiler = (argument: Value, name: string, variables: Variables) => Start;

function feeding(accumulator: Accumulator, expression: Expression): GroupState {
  return {
    get bytes() {
      return accumulator.bytes;
    },
    add: (scope) => accumulator.add(expression(scope)),
    result: () => accumulator.result(),
  };
}

function simple(make: () => Accumulator): AccumulatorCompiler {
  return (argument, _name, variables) => {
    const expression = compileExpression(argument, variables);
    return () => feeding(make(), expression);
  };
}

function countOf(n: Expression, key: Value, now: bigint): number {
  return positiveCount(n(newScope(isDoc(key) ? key : new Map(), now)));
}

function several(notObject: number, make: (n: number) => Accumulator): AccumulatorCompiler {
  return (argument, name, variables) => {
    const codes = { object: notObject, unknown: 5787901, required: { n: 5787906, input: 5787907 } };
    const given = namedArguments(argument, name, codes);
    const n = compileExpression(present(given.n), variables);
    const input = compileExpression(present(given.input), variables);
    return (key, now) => feeding(make(countOf(n, key, now)), input);
  };
}

/** By the order of the documents: $top and $bottom give one output, $topN and $bottomN a list. */
function placed(isBottom: boolean, isSingle: boolean): AccumulatorCompiler {
  const required = { ...(isSingle ? {} : { n: 5788003 }), output: 5788004, sortBy: 5788005 };
  return (argument, name, variables) => {
    const given = namedArguments(argument, name, { object: 5788001, unknown: 5788002, required });
    if (!isDoc(given.sortBy)) fail(10065, `expected an object (sortBy), found ${typeName(given.sortBy)}`);
    const keys = parseSort(given.sortBy);
    const tupleOf = sortTuple(keys);
    const output = compileExpression(present(given.output), variables);
    const n = compileExpression(isSingle ? new Int32(1) : present(given.n), variables);
    return (key, now) => {
      const best = new PlacedN(countOf(n, key, now), keys, isBottom);
      return {
        get bytes() {
          return best.bytes;
        },
        add: (scope) => best.place(tupleOf(scope.root), output(scope) ?? null),
        result: () => (isSingle ? (best.outputs()[0] ?? null) : best.outputs()),
      };
    };
  };
}

const counting: AccumulatorCompiler = (argument, name) => {
  if (!isDoc(argument) || argument.size > 0) fail(2, `${name} takes no arguments, i.e. ${name}:{}`);
  const one = compileExpression(new Int32(1));
  return () => feeding(new Sum(), one);
};

const ACCUMULATORS: Readonly<Record<string, AccumulatorCompiler>> = {
  $addToSet: simple(() => new DistinctValues()),
  $avg: simple(() => new Average()),
  $bottom: placed(true, true),
  $bottomN: placed(true, false),
  $count: counting,
  $first: simple(() => new First()),
  $firstN: several(5787801, (n) => new FirstN(n)),
  $last: simple(() => new Last()),
  $lastN: several(5787801, (n) => new LastN(n)),
  $max: simple(() => new Extreme(-1)),
  $maxN: several(5787900, (n) => new OrderedN(n, -1)),
  $mergeObjects: simple(() => new MergedObjects()),
  $min: simple(() => new Extreme(1)),
  $minN: several(5787900, (n) => new OrderedN(n, 1)),
  $push: simple(() => new Pushed()),
  $stdDevPop: simple(() => new StandardDeviation(0)),
  $stdDevSamp: simple(() => new StandardDeviation(1)),
  $sum: simple(() => new Sum()),
  $top: placed(false, true),
  $topN: placed(false, false),
};

export const ACCUMULATOR_OPERATORS: readonly string[] = Object.keys(ACCUMULATORS);

interface Field {
  name: string;
  start: Start;
}

export function accumulatedField(name: string, spec: Value, variables: Variables): Field {
  const first = isDoc(spec) ? [...spec.keys()][0] : undefined;
  if (!isDoc(spec) || !first?.startsWith("$"))
    fail(40234, `The field '${name}' must be an accumulator object`);
  if (name.includes(".")) fail(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith("$")) fail(40236, `The field name '${name}' cannot be an operator name`);
  if (spec.size !== 1) fail(40238, `The field '${name}' must specify one accumulator`);
  const argument = present(spec.get(first));
  if (Array.isArray(argument)) fail(40237, `The ${first} accumulator is a unary operator`);
  if (!Object.hasOwn(ACCUMULATORS, first)) fail(15952, `unknown group operator '${first}'`);
  return { name, start: present(ACCUMULATORS[first])(argument, first, variables) };
}

/** One group: its key and the states of its fields. */
export class Group {
  readonly key: Value;
  readonly #fields: readonly Field[];
  readonly #states: GroupState[];

  constructor(key: Value, fields: readonly Field[], now: bigint) {
    this.key = key;
    this.#fields = fields;
    this.#states = fields.map(({ start }) => start(key, now));
  }

  /** By how many bytes the group grew. */
  add(scope: Scope): number {
    let grown = 0;
    for (const state of this.#states) {
      const before = state.bytes;
      state.add(scope);
      grown += state.bytes - before;
    }
    return grown;
  }

  document(): Doc {
    const out: Doc = new Map([["_id", this.key]]);
    this.#fields.forEach(({ name }, i) => {
      out.set(name, present(this.#states[i]).result());
    });
    return out;
  }
}

/** In a key of one part, as in a plain key, missing counts as null; in a longer one it is told apart. */
function keyExpression(spec: Value, variables: Variables): Expression {
  const [name] = isDoc(spec) ? spec.keys() : [];
  if (!isDoc(spec) || name === undefined || name.startsWith("$")) return compileExpression(spec, variables);
  for (const value of spec.values())
    if (isNumber(value) || typeof value === "boolean")
      fail(17390, "$group does not support inclusion-style expressions");
  const key = compileExpression(spec, variables);
  if (spec.size > 1) return key;
  return (scope) => {
    const found = key(scope) as Doc;
    return found.size === 0 ? new Map([[name, null]]) : found;
  };
}

const STATE_BYTES = 128;

export function group(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15947, "a group's fields must be specified in an object");
  const id = spec.get("_id");
  if (id === undefined) fail(15955, "a group specification must include an _id");
  const keyOf = keyExpression(id, context.variables);
  const fields = [...spec]
    .filter(([name]) => name !== "_id")
    .map(([name, value]) => accumulatedField(name, value, context.variables));
  const groups = new Map<string, Group>();
  const memory = new HeldMemory("$group");
  const found = (key: Value) => {
    const text = valueKey(key);
    const known = groups.get(text);
    if (known) return known;
    memory.add(STATE_BYTES * (fields.length + 1) + text.length + valueBytes(key));
    const fresh = new Group(key, fields, context.now);
    groups.set(text, fresh);
    return fresh;
  };
  return {
    push(document) {
      const scope = newScope(document, context.now);
      memory.add(found(keyOf(scope) ?? null).add(scope));
      return true;
    },
    finish: (next) => release(documentsOf(groups.values()), next, context),
  };
}

function* documentsOf(groups: Iterable<Group>): Generator<Doc> {
  for (const each of groups) yield each.document();
}
