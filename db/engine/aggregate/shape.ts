/** Stages that make each document another: $project and $set. */

import { fail } from "../values/errors.ts";
import { isDoc, typeName, type Value } from "../values/values.ts";
import { applyTree, ProjectionParser, type ProjectionTree, parseAddition } from "./projection.ts";
import type { Stage } from "./stage.ts";

/** Creates a stage that replaces each document by its projection. */
function shaping(tree: ProjectionTree): Stage {
  return { push: (document, next) => next(applyTree(tree, document)), finish: () => {} };
}

export function project(spec: Value): Stage {
  if (!isDoc(spec)) fail(15969, "$project specification must be an object");
  if (spec.size === 0)
    fail(51272, "Invalid $project :: caused by :: projection specification must have at least one field");
  return shaping(new ProjectionParser().parse(spec));
}

export function set(spec: Value): Stage {
  if (!isDoc(spec)) fail(40272, `$set specification stage must be an object, got ${typeName(spec)}`);
  return shaping(parseAddition(spec));
}
