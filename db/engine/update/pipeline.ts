/** Updates written as a pipeline: a few stages that turn one document into one document. */
import { compileStages } from "../aggregate/aggregate.ts";
import type { Stage } from "../aggregate/stage.ts";
import type { Variables } from "../expression/expression.ts";
import { fail, unsupported } from "../values/errors.ts";
import type { Doc, Value } from "../values/values.ts";

const STAGES = new Set(["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"]);

function checkStage(stage: Value): void {
  if (!(stage instanceof Map)) fail(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, "A pipeline stage specification object must contain exactly one field.");
  const [name = ""] = stage.keys();
  if (!STAGES.has(name)) fail(72, `${name} is not allowed to be used within an update`);
}

function compileAt(now: bigint, stages: Value[], variables: Variables): Stage[] {
  return compileStages(stages, {
    now,
    variables,
    lookup: () => unsupported("$lookup in an update"),
    checkTime: () => {},
  });
}

function through(stage: Stage, document: Doc): Doc {
  let out = document;
  stage.push(document, (next) => {
    out = next;
    return true;
  });
  return out;
}

/** Refuses a wrong pipeline at once; the stages are made again when the time changes, once per operation. */
export function compilePipelineUpdate(
  stages: Value[],
  variables: Variables,
): (document: Doc, now: bigint) => Doc {
  for (const stage of stages) checkStage(stage);
  let compiled = { now: 0n, stages: compileAt(0n, stages, variables) };
  return (document, now) => {
    if (compiled.now !== now) compiled = { now, stages: compileAt(now, stages, variables) };
    return compiled.stages.reduce((current, stage) => through(stage, current), document);
  };
}
