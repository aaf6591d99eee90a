/** Stages that make each document another: $project and $set. */

import { fail } from "../values/errors.ts";
import { isDoc, typeName, type Value } from "../values/values.ts";
import { applyProjection, ProjectionParser, type ProjectionTree, parseSetSpec } from "./projection.ts";
import type { Stage } from "./stage.ts";

/** Creates a stage that replaces each document by its projection. */
function createProjectionStage(tree: ProjectionTree): Stage {
  return { push: (document, next) => next(applyProjection(tree, document)), finish: () => {} };
}

export function compileProject(spec: Value): Stage {
  if (!isDoc(spec)) fail(15969, "$project specification must be an object");
  if (spec.size === 0)
    fail(51272, "Invalid $project :: caused by :: projection specification must have at least one field");
  return createProjectionStage(new ProjectionParser().parse(spec));
}

export function compileSet(spec: Value): Stage {
  if (!isDoc(spec)) fail(40272, `$set specification stage must be an object, got ${typeName(spec)}`);
  return createProjectionStage(parseSetSpec(spec));
}
