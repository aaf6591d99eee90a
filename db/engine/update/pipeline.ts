/** Updates written as a pipeline: stages that turn one document into one document. */
import { compileStages } from "../aggregate/aggregate.ts";
import type { Stage } from "../aggregate/stage.ts";
import { fail } from "../values/errors.ts";
import type { Doc, Value } from "../values/values.ts";

function checkStage(stage: Value): void {
  if (!(stage instanceof Map)) fail(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, "A pipeline stage specification object must contain exactly one field.");
  const [name = ""] = stage.keys();
  if (name !== "$set") fail(72, `${name} is not allowed to be used within an update`);
}

function applyStage(stage: Stage, document: Doc): Doc {
  let out = document;
  stage.push(document, (next) => {
    out = next;
    return true;
  });
  return out;
}

export function compilePipelineUpdate(stages: Value[]): (document: Doc) => Doc {
  for (const stage of stages) checkStage(stage);
  const compiled = compileStages(stages, { checkTime: () => {} });
  return (document) => compiled.reduce((current, stage) => applyStage(stage, current), document);
}
