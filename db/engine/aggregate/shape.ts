/** Stages that make each document another: $project, $addFields, $unset, $replaceRoot. */

import { compileExpression, newScope } from "../expression/expression.ts";
import { show } from "../expression/numbers.ts";
import { fail } from "../values/errors.ts";
import { type Doc, isDoc, typeName, type Value } from "../values/values.ts";
import { applyTree, ProjectionParser, type ProjectionTree, parseAddition } from "./projection.ts";
import type { PipelineContext, Stage } from "./stage.ts";

/** One document in, one document out. */
export function mapping(change: (document: Doc) => Doc): Stage {
  return { push: (document, next) => next(change(document)), finish: () => {} };
}

function shaping(tree: ProjectionTree, { now }: PipelineContext): Stage {
  return mapping((document) => applyTree(tree, document, now));
}

export function project(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15969, "$project specification must be an object");
  if (spec.size === 0)
    fail(51272, "Invalid $project :: caused by :: projection specification must have at least one field");
  return shaping(new ProjectionParser(context.variables).parse(spec), context);
}

export function addFields(spec: Value, context: PipelineContext, name: string): Stage {
  if (!isDoc(spec)) fail(40272, `${name} specification stage must be an object, got ${typeName(spec)}`);
  return shaping(parseAddition(spec, context.variables), context);
}

export function unset(spec: Value, context: PipelineContext): Stage {
  const fields = typeof spec === "string" ? [spec] : spec;
  if (!Array.isArray(fields)) fail(31002, "$unset specification must be a string or an array");
  if (fields.length === 0)
    fail(31119, "$unset specification must be a string or an array with at least one field");
  const exclusion: Doc = new Map();
  for (const field of fields) {
    if (typeof field !== "string")
      fail(31120, "$unset specification must be a string or an array containing only string values");
    if (exclusion.has(field)) fail(31250, `Invalid $unset :: caused by :: Path collision at ${field}`);
    exclusion.set(field, false);
  }
  return shaping(new ProjectionParser(context.variables).parse(exclusion), context);
}

function replacing(spec: Value, { now, variables }: PipelineContext, what: string): Stage {
  const expression = compileExpression(spec, variables);
  return mapping((document) => {
    const root = expression(newScope(document, now));
    if (isDoc(root)) return root;
    fail(
      40228,
      `${what} must evaluate to an object, but resulting value was: ${show(root)}. Type of resulting value: '${typeName(root)}'.`,
    );
  });
}

export function replaceRoot(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec))
    fail(40229, `expected an object as specification for $replaceRoot stage, got ${typeName(spec)}`);
  for (const field of spec.keys())
    if (field !== "newRoot") fail(40415, `BSON field '$replaceRoot.${field}' is an unknown field.`);
  const newRoot = spec.get("newRoot");
  if (newRoot === undefined) fail(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
  return replacing(newRoot, context, "'newRoot' expression");
}

export function replaceWith(spec: Value, context: PipelineContext): Stage {
  return replacing(spec, context, "'replacement document'");
}
