/**
 * Updates: a document of operators, a replacement document, or a pipeline. Compiled once, applied to any
 * number of documents; the document given is never changed. What an update leaves alone keeps its order and
 * its types, so an update without effect gives the same bytes. _id stays what it is and comes first.
 */

import { NO_VARIABLES, type Variables } from "../expression/expression.ts";
import type { Filter } from "../filter/match.ts";
import { encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, equal, Regex, Timestamp, typeName, UNDEFINED, type Value } from "../values/values.ts";
import { elementFilter } from "./arrays.ts";
import { OPERATORS, timestampOf } from "./operators.ts";
import { compilePipelineUpdate } from "./pipeline.ts";
import { type ArrayFilters, isDynamic, type Leaf, parseUpdatePath, UpdateTree } from "./tree.ts";
import { Walk } from "./walk.ts";

export { seedFromQuery } from "./seed.ts";

export interface UpdateOptions {
  /** The document is the seed of an upsert. */
  insert: boolean;
  /** Where the query met an array: what the positional `$` stands for. */
  position?: number;
  /** Milliseconds since 1970. */
  now: bigint;
}

export interface Update {
  apply(document: Doc, options: UpdateOptions): Doc;
  /** A whole replacement document. */
  replaces: boolean;
}

export function compileUpdate(
  update: Value,
  arrayFilters: Value[] = [],
  variables: Variables = NO_VARIABLES,
): Update {
  if (Array.isArray(update)) {
    if (arrayFilters.length > 0) fail(9, "arrayFilters may not be specified for pipeline-style updates");
    const transform = compilePipelineUpdate(update, variables);
    return {
      replaces: false,
      apply: (document, options) => replaced(document, transform(document, options.now), options),
    };
  }
  if (!(update instanceof Map)) fail(9, "Update argument must be either an object or an array");
  const [first] = update.keys();
  return first?.startsWith("$")
    ? compileOperators(update, arrayFilters)
    : compileReplacement(update, arrayFilters);
}

function compileReplacement(replacement: Doc, arrayFilters: Value[]): Update {
  if (arrayFilters.length > 0) fail(9, "arrayFilters may not be specified for replacement-style updates");
  return {
    replaces: true,
    apply(document, options) {
      for (const name of replacement.keys())
        if (name.startsWith("$") && (!options.insert || UPDATE_OPERATORS.includes(name)))
          fail(
            52,
            `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
          );
      return replaced(document, stamped(replacement, options.now), options);
    },
  };
}

/** An empty timestamp at the top of a replacement means the current one. */
function stamped(replacement: Doc, now: bigint): Doc {
  const out: Doc = new Map();
  for (const [name, value] of replacement) {
    const empty = name !== "_id" && value instanceof Timestamp && value.value === 0n;
    out.set(name, empty ? timestampOf(now) : value);
  }
  return out;
}

/** The new content under the old _id, which it may repeat but not change. */
function replaced(document: Doc, content: Doc, { insert }: UpdateOptions): Doc {
  const old = document.get("_id");
  const id = content.has("_id") ? content.get("_id") : old;
  if (old !== undefined && !equal(present(id), old))
    fail(66, "After applying the update, the (immutable) field '_id' was found to have been altered");
  const out = idFirst(content, id);
  if (insert) checkId(id);
  return out;
}

function idFirst(content: Doc, id: Value | undefined): Doc {
  if (id === undefined || content.keys().next().value === "_id") return content;
  const out: Doc = new Map([["_id", id]]);
  for (const [name, value] of content) out.set(name, name === "_id" ? id : value);
  return out;
}

function checkId(id: Value | undefined): void {
  if (Array.isArray(id) || id instanceof Regex || id === UNDEFINED)
    fail(53, `The '_id' value cannot be of type ${typeName(id)}`);
}

function compileOperators(update: Doc, arrayFilters: Value[]): Update {
  const filters = parseArrayFilters(arrayFilters);
  const tree = new UpdateTree(filters);
  for (const [name, fields] of update) {
    if (!Object.hasOwn(OPERATORS, name) && name !== "$rename")
      fail(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    if (!(fields instanceof Map))
      fail(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${typeName(fields)}}`,
      );
    for (const [path, operand] of fields) {
      if (name === "$rename") addRename(tree, path, operand);
      else addOperation(tree, name, path, operand);
    }
  }
  tree.finish();
  return {
    replaces: false,
    apply(document, { insert, position, now }) {
      const walked = new Walk(document, { insert, position, now, filters }).run(tree.root);
      const id = walked.get("_id");
      checkUnchanged(document.get("_id"), id);
      if (insert) checkId(id);
      return idFirst(walked, id);
    },
  };
}

function addOperation(tree: UpdateTree, name: string, path: string, operand: Value): void {
  const parts = parseUpdatePath(path);
  tree.add({ kind: "leaf", path, operation: present(OPERATORS[name])(operand, path) }, parts);
}

export const UPDATE_OPERATORS: readonly string[] = [...Object.keys(OPERATORS), "$rename"];

/** Both ends of a rename take part in conflicts; the work is done at the target. */
function addRename(tree: UpdateTree, path: string, operand: Value): void {
  const from = parseUpdatePath(path);
  if (typeof operand !== "string") fail(2, `The 'to' field for $rename must be a string: ${path}`);
  if (operand.includes("\0")) fail(2, "The 'to' field for $rename cannot contain an embedded null byte");
  const to = parseUpdatePath(operand);
  if (path === operand) fail(2, `The source and target field for $rename must differ: ${path}`);
  if (`${path}.`.startsWith(`${operand}.`) || `${operand}.`.startsWith(`${path}.`))
    fail(2, `The source and target field for $rename must not be on the same path: ${path}: "${operand}"`);
  if (isDynamic(from)) fail(2, `The source field for $rename may not be dynamic: ${path}`);
  if (isDynamic(to)) fail(2, `The destination field for $rename may not be dynamic: ${operand}`);
  const source: Leaf = { kind: "leaf", path, operation: undefined };
  tree.add(source, from);
  tree.add({ kind: "leaf", path: operand, operation: undefined, renamedFrom: from }, to);
}

/** An update that writes the very same _id again is no change of it; 1.0 instead of 1 is one. */
function checkUnchanged(before: Value | undefined, after: Value | undefined): void {
  if (before === undefined || before === after) return;
  const same = after !== undefined && encode(new Map([["", before]])).equals(encode(new Map([["", after]])));
  if (!same) fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

const FILTER_NAME = /^[a-z][A-Za-z0-9]*$/;

function parseArrayFilters(specs: Value[]): ArrayFilters {
  const filters = new Map<string, Filter>();
  for (const [index, spec] of specs.entries()) {
    if (!(spec instanceof Map))
      fail(
        14,
        `BSON field 'update.updates.arrayFilters.${index}' is the wrong type '${typeName(spec)}', expected type 'object'`,
      );
    const filter = elementFilter(spec);
    const [name, other] = present(filter.fields);
    if (name === undefined)
      fail(9, "Cannot use an expression without a top-level field name in arrayFilters");
    if (other !== undefined)
      fail(
        9,
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
      );
    if (!FILTER_NAME.test(name))
      fail(
        2,
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    if (filters.has(name)) fail(9, `Found multiple array filters with the same top-level field name ${name}`);
    filters.set(name, filter);
  }
  return filters;
}
