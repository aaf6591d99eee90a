/**
 * Updates: a document of operators, a replacement document, or a pipeline. Compiled once, applied to any
 * number of documents; the document given is never changed. What an update leaves alone keeps its order and
 * its types, so an update without effect gives the same bytes. _id stays what it is and comes first.
 */

import { encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isEqual, typeName, type Value } from "../values/values.ts";
import { OPERATORS } from "./operators.ts";
import { compilePipelineUpdate } from "./pipeline.ts";
import { UpdateTree } from "./tree.ts";
import { Walk } from "./walk.ts";

export { seedFromQuery } from "./seed.ts";

export interface UpdateOptions {
  /** The document is the seed of an upsert. */
  insert: boolean;
  /** Where the query met an array: what the positional `$` stands for. */
  position?: number;
}

export interface Update {
  apply(document: Doc, options: UpdateOptions): Doc;
  /** A whole replacement document. */
  replaces: boolean;
}

export function compileUpdate(update: Value): Update {
  if (Array.isArray(update)) {
    const transform = compilePipelineUpdate(update);
    return {
      replaces: false,
      apply: (document, options) => replaceContent(document, transform(document), options),
    };
  }
  if (!(update instanceof Map)) fail(9, "Update argument must be either an object or an array");
  const [first] = update.keys();
  return first?.startsWith("$") ? compileOperators(update) : compileReplacement(update);
}

function compileReplacement(replacement: Doc): Update {
  return {
    replaces: true,
    apply(document, options) {
      for (const name of replacement.keys()) {
        if (name.startsWith("$") && (!options.insert || UPDATE_OPERATORS.includes(name)))
          fail(
            52,
            `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
          );
      }
      return replaceContent(document, replacement, options);
    },
  };
}

/** The new content under the old _id, which it may repeat but not change. */
function replaceContent(document: Doc, content: Doc, { insert }: UpdateOptions): Doc {
  const old = document.get("_id");
  const id = content.has("_id") ? content.get("_id") : old;
  if (old !== undefined && !isEqual(present(id), old))
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
  if (Array.isArray(id)) fail(53, `The '_id' value cannot be of type ${typeName(id)}`);
}

function compileOperators(update: Doc): Update {
  const tree = new UpdateTree();
  for (const [name, fields] of update) {
    if (!Object.hasOwn(OPERATORS, name))
      fail(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    if (!(fields instanceof Map))
      fail(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${typeName(fields)}}`,
      );
    for (const [path, operand] of fields)
      tree.add({ kind: "leaf", path, operation: present(OPERATORS[name])(operand, path) });
  }
  tree.sortBranches();
  return {
    replaces: false,
    apply(document, { insert, position }) {
      const walked = new Walk(document, { insert, position }).run(tree.root);
      const id = walked.get("_id");
      checkIdUnchanged(document.get("_id"), id);
      if (insert) checkId(id);
      return idFirst(walked, id);
    },
  };
}

export const UPDATE_OPERATORS: readonly string[] = Object.keys(OPERATORS);

/** Fails if the _id has changed. Writing 1.0 instead of 1 is a change. */
function checkIdUnchanged(before: Value | undefined, after: Value | undefined): void {
  if (before === undefined || before === after) return;
  const same = after !== undefined && encode(new Map([["", before]])).equals(encode(new Map([["", after]])));
  if (!same) fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}
