/** Aggregation pipelines: stages compiled for one run, documents pushed through them. What is not in the table is refused. */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isDoc, type Value } from "../values/values.ts";
import { compileLimit, compileMatch, compileUnwind } from "./flow.ts";
import { compileGroup } from "./group.ts";
import { compileProject, compileSet } from "./shape.ts";
import { compileSort } from "./sort.ts";
import type { PipelineContext, Sink, Stage } from "./stage.ts";

type StageCompiler = (spec: Value, context: PipelineContext) => Stage;

const STAGES: Readonly<Record<string, StageCompiler>> = {
  $group: compileGroup,
  $limit: compileLimit,
  $match: compileMatch,
  $project: compileProject,
  $set: compileSet,
  $sort: compileSort,
  $unwind: compileUnwind,
};

export const STAGE_OPERATORS: readonly string[] = Object.keys(STAGES);

const MAX_STAGES = 1000;

function compileStage(stage: Value, context: PipelineContext): Stage {
  if (!isDoc(stage)) fail(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, "A pipeline stage specification object must contain exactly one field.");
  const [name, spec] = present([...stage][0]);
  if (!Object.hasOwn(STAGES, name)) fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  return present(STAGES[name])(spec, context);
}

/** The stages hold the state of one run, so they are compiled again for the next. */
export function compileStages(stages: Value[], context: PipelineContext): Stage[] {
  if (stages.length > MAX_STAGES) fail(9, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  return stages.map((stage) => compileStage(stage, context));
}

/** Connects the stages in order; the last one passes its documents to the sink. */
export function connectStages(stages: Stage[], sink: Sink): { push: Sink; finish(): void } {
  const sinks: Sink[] = [sink];
  for (const stage of stages.toReversed()) {
    const next = present(sinks[0]);
    sinks.unshift((document) => stage.push(document, next));
  }
  return {
    push: present(sinks[0]),
    finish() {
      stages.forEach((stage, i) => {
        stage.finish(present(sinks[i + 1]));
      });
    },
  };
}
