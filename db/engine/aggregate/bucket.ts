/** $bucket, $bucketAuto and $sortByCount: groups by ranges, by equal shares, by how often. */

import { constantOf } from "../expression/env.ts";
import { compileExpression, newScope, type Variables } from "../expression/expression.ts";
import { asInt32, show } from "../expression/numbers.ts";
import { documentBytes } from "../expression/size.ts";
import { fail, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  compare,
  type Doc,
  doc,
  Int32,
  isDoc,
  isNumber,
  typeName,
  typeOrder,
  type Value,
} from "../values/values.ts";
import { accumulatedField, Group, group } from "./group.ts";
import { HeldMemory, release } from "./memory.ts";
import { sort } from "./sort.ts";
import type { PipelineContext, Sink, Stage } from "./stage.ts";

const COUNTED: Doc = doc({ count: doc({ $sum: new Int32(1) }) });

/** A path like `$a` or `{ $operator: … }`. */
function isExpression(spec: Value): boolean {
  if (typeof spec === "string") return spec.startsWith("$");
  return isDoc(spec) && ([...spec.keys()][0]?.startsWith("$") ?? false);
}

/** Two stages as one. */
function joined(first: Stage, second: Stage): Stage {
  return {
    push: (document, next) => first.push(document, (made) => second.push(made, next)),
    finish(next) {
      first.finish((made) => second.push(made, next));
      second.finish(next);
    },
  };
}

function literal(value: Value): Doc {
  return doc({ $literal: value });
}

function constantValue(spec: Value, code: number, field: string, variables: Variables): Value {
  const known = constantOf(compileExpression(spec, variables));
  if (known?.value !== undefined) return known.value;
  fail(code, `The $bucket '${field}' field must be constant, but found: ${show(spec)}.`);
}

function boundariesOf(spec: Value, variables: Variables): Value[] {
  if (!Array.isArray(spec))
    fail(40200, `The $bucket 'boundaries' field must be an array, but found type: ${typeName(spec)}.`);
  const values = spec.map((item) => constantValue(item, 40191, "boundaries", variables));
  if (values.length < 2)
    fail(
      40192,
      `The $bucket 'boundaries' field must have at least 2 values, but found ${values.length} value(s).`,
    );
  for (let i = 1; i < values.length; i++) {
    if (typeOrder(present(values[i - 1])) !== typeOrder(present(values[i])))
      fail(40193, "All values in the the 'boundaries' option to $bucket must have the same type.");
    if (compare(present(values[i - 1]), present(values[i])) >= 0)
      fail(
        40194,
        `The 'boundaries' option to $bucket must be sorted, but elements ${i - 1} and ${i} are not.`,
      );
  }
  return values;
}

/** A default that would lie between two boundaries could not be told from a bucket. */
function defaultOf(spec: Value | undefined, boundaries: Value[], variables: Variables): Value | undefined {
  if (spec === undefined) return undefined;
  const value = constantValue(spec, 40195, "default", variables);
  if (
    compare(value, present(boundaries[0])) >= 0 &&
    compare(value, present(boundaries[boundaries.length - 1])) < 0
  )
    fail(
      40199,
      "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.",
    );
  return value;
}

const BUCKET_FIELDS = ["groupBy", "boundaries", "default", "output"];

function bucketKey(groupBy: Value, boundaries: Value[], otherwise: Value | undefined): Doc {
  const branches = boundaries.slice(1).map((upper, i) => {
    const lower = present(boundaries[i]);
    const within = [doc({ $gte: [groupBy, literal(lower)] }), doc({ $lt: [groupBy, literal(upper)] })];
    return new Map([
      ["case", doc({ $and: within })],
      ["then", literal(lower)],
    ]);
  });
  const branched = { branches, default: otherwise === undefined ? undefined : literal(otherwise) };
  return doc({ $switch: doc(branched) });
}

export function bucket(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec))
    fail(40201, `Argument to $bucket stage must be an object, but found type: ${typeName(spec)}.`);
  for (const field of spec.keys())
    if (!BUCKET_FIELDS.includes(field)) fail(40197, `Unrecognized option to $bucket: ${field}.`);
  const groupBy = spec.get("groupBy");
  const given = spec.get("boundaries");
  if (groupBy === undefined || given === undefined)
    fail(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  if (!isExpression(groupBy))
    fail(
      40202,
      `The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but found: ${show(groupBy)}.`,
    );
  const boundaries = boundariesOf(given, context.variables);
  const otherwise = defaultOf(spec.get("default"), boundaries, context.variables);
  const output = spec.get("output") ?? COUNTED;
  if (!isDoc(output))
    fail(40196, `The $bucket 'output' field must be an object, but found type: ${typeName(output)}.`);
  const grouping: Doc = new Map([["_id", bucketKey(groupBy, boundaries, otherwise)], ...output]);
  return joined(group(grouping, context), sort(doc({ _id: new Int32(1) }), context));
}

export function sortByCount(spec: Value, context: PipelineContext): Stage {
  if (isDoc(spec) ? !isExpression(spec) : typeof spec === "string" && !spec.startsWith("$"))
    fail(
      isDoc(spec) ? 40147 : 40148,
      "the sortByCount field must be defined as a $-prefixed path or an expression inside an object",
    );
  if (!isDoc(spec) && typeof spec !== "string")
    fail(40149, "the sortByCount field must be specified as a string or as an object");
  const grouping: Doc = new Map<string, Value>([["_id", spec], ...COUNTED]);
  return joined(group(grouping, context), sort(doc({ count: new Int32(-1) }), context));
}

interface Valued {
  value: Value;
  document: Doc;
}

interface AutoOptions {
  groupBy: Value;
  buckets: number;
  output: Doc;
}

function autoOptions(spec: Value): AutoOptions {
  if (!isDoc(spec))
    fail(40240, `The argument to $bucketAuto must be an object, but found type: ${typeName(spec)}`);
  for (const field of spec.keys())
    if (!["groupBy", "buckets", "output", "granularity"].includes(field))
      fail(40245, `Unrecognized option to $bucketAuto: ${field}`);
  if (spec.has("granularity")) unsupported("$bucketAuto with 'granularity'");
  const groupBy = spec.get("groupBy");
  const buckets = spec.get("buckets");
  if (groupBy === undefined || buckets === undefined)
    fail(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  if (!isExpression(groupBy))
    fail(
      40239,
      `The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object, but found: ${show(groupBy)}`,
    );
  if (!isNumber(buckets))
    fail(
      40241,
      `The $bucketAuto 'buckets' field must be a numeric value, but found type: ${typeName(buckets)}`,
    );
  const number =
    asInt32(buckets) ??
    fail(40242, "The $bucketAuto 'buckets' field must be representable as a 32-bit integer");
  if (number <= 0)
    fail(40243, `The $bucketAuto 'buckets' field must be greater than 0, but found: ${number}`);
  const output = spec.get("output") ?? COUNTED;
  if (!isDoc(output))
    fail(40244, `The $bucketAuto 'output' field must be an object, but found type: ${typeName(output)}`);
  return { groupBy, buckets: number, output };
}

/** Where each bucket starts: equal shares, but equal values are never parted. */
function shares(values: Valued[], buckets: number): number[] {
  const size = Math.max(1, Math.round(values.length / buckets));
  const starts: number[] = [];
  for (let at = 0; at < values.length && starts.length < buckets; ) {
    starts.push(at);
    at += size;
    while (at < values.length && compare(present(values[at]).value, present(values[at - 1]).value) === 0)
      at++;
  }
  return starts;
}

/** The upper bound of a bucket is the lower bound of the next; the last one includes its own. */
function* autoBuckets(values: Valued[], options: AutoOptions, context: PipelineContext): Generator<Doc> {
  const { now, variables } = context;
  const fields = [...options.output].map(([name, spec]) => accumulatedField(name, spec, variables));
  const starts = shares(values, options.buckets);
  for (let i = 0; i < starts.length; i++) {
    const isLast = i === starts.length - 1;
    const start = present(starts[i]);
    const end = isLast ? values.length : present(starts[i + 1]);
    const max = present(values[isLast ? end - 1 : end]).value;
    const made = new Group(doc({ min: present(values[start]).value, max }), fields, now);
    for (const { document } of values.slice(start, end)) made.add(newScope(document, now));
    yield made.document();
  }
}

/** Buckets have no key before they are filled: how many to keep cannot depend on it. */
function checkOutput(name: string, field: Value, variables: Variables): void {
  accumulatedField(name, field, variables);
  const argument = isDoc(field) ? [...field.values()][0] : undefined;
  const n = isDoc(argument) ? argument.get("n") : undefined;
  if (n !== undefined && !constantOf(compileExpression(n, variables)))
    fail(4544714, "Can't refer to the group key in $bucketAuto");
}

export function bucketAuto(spec: Value, context: PipelineContext): Stage {
  const options = autoOptions(spec);
  const sortValue = compileExpression(options.groupBy, context.variables);
  for (const [name, field] of options.output) checkOutput(name, field, context.variables);
  const memory = new HeldMemory("$bucketAuto");
  const held: Valued[] = [];
  return {
    push(document) {
      memory.add(documentBytes(document));
      held.push({ value: sortValue(newScope(document, context.now)) ?? null, document });
      return true;
    },
    finish(next: Sink) {
      held.sort((a, b) => compare(a.value, b.value));
      release(autoBuckets(held, options, context), next, context);
    },
  };
}
