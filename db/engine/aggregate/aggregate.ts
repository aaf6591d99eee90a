/**
 * Aggregation pipelines: stages compiled for one run, documents pushed through them. What is not in the
 * table is refused; of MongoDB's stages those that read other collections whole, or that need a replica set
 * are missing on purpose. Stages that write take the results of all others: they are no stages of a line.
 */

import { documentBytes } from "../expression/size.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from "../values/values.ts";
import { bucket, bucketAuto, sortByCount } from "./bucket.ts";
import { countDocuments, limit, match, sample, skip, unwind } from "./flow.ts";
import { group } from "./group.ts";
import { lookup } from "./lookup.ts";
import { HeldMemory } from "./memory.ts";
import { addFields, project, replaceRoot, replaceWith, unset } from "./shape.ts";
import { sort } from "./sort.ts";
import type { PipelineContext, Sink, Stage } from "./stage.ts";

type StageCompiler = (spec: Value, context: PipelineContext, name: string) => Stage;

const STAGES: Readonly<Record<string, StageCompiler>> = {
  $addFields: addFields,
  $bucket: bucket,
  $bucketAuto: bucketAuto,
  $collStats: late,
  $count: countDocuments,
  $documents: late,
  $facet: facet,
  $group: group,
  $limit: limit,
  $listLocalSessions: late,
  $lookup: lookup,
  $match: match,
  $merge: misplaced,
  $out: misplaced,
  $project: project,
  $replaceRoot: replaceRoot,
  $replaceWith: replaceWith,
  $sample: sample,
  $set: addFields,
  $skip: skip,
  $sort: (spec, context) => sort(spec, context),
  $sortByCount: sortByCount,
  $unset: unset,
  $unwind: unwind,
};

export const STAGE_OPERATORS: readonly string[] = Object.keys(STAGES);

/** Where the last stage writes, it is taken off before the others are compiled. */
function misplaced(_spec: Value, _context: PipelineContext, name: string): never {
  fail(40601, `${name} can only be the final stage in the pipeline`);
}

/** A stage that brings its documents along is taken off the beginning. */
function late(_spec: Value, _context: PipelineContext, name: string): never {
  fail(40602, `${name} is only valid as the first stage in a pipeline`);
}

const MAX_STAGES = 1000;

interface Named {
  name: string;
  spec: Value;
}

function parseStage(stage: Value): Named {
  if (!isDoc(stage)) fail(14, "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, "A pipeline stage specification object must contain exactly one field.");
  const [name, spec] = present([...stage][0]);
  if (!Object.hasOwn(STAGES, name)) fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  return { name, spec };
}

/** How many documents of a sort are wanted: up to the $limit behind it, and what a $skip between takes. */
function wantedOf(following: Named[]): number {
  let skipped = 0;
  for (const { name, spec } of following) {
    if (name !== "$skip" && name !== "$limit") break;
    if (!isNumber(spec)) break;
    if (name === "$limit") return skipped + toNumber(spec);
    skipped += toNumber(spec);
  }
  return Number.POSITIVE_INFINITY;
}

/** The stages hold the state of one run: they are compiled anew for the next. */
export function compileStages(stages: Value[], context: PipelineContext): Stage[] {
  if (stages.length > MAX_STAGES) fail(9, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  const parsed = stages.map(parseStage);
  return parsed.map(({ name, spec }, i) =>
    name === "$sort"
      ? sort(spec, context, wantedOf(parsed.slice(i + 1)))
      : present(STAGES[name])(spec, context, name),
  );
}

/** The stages one behind the other, with a sink at the end. */
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

export function runStages(stages: Stage[], documents: Iterable<Doc>): Doc[] {
  const out: Doc[] = [];
  const line = connectStages(stages, (document) => out.push(document) > 0);
  for (const document of documents) if (!line.push(document)) break;
  line.finish();
  return out;
}

const FORBIDDEN_IN_FACET = ["$collStats", "$documents", "$facet", "$listLocalSessions", "$merge", "$out"];

function facetPipeline(name: string, pipeline: Value): Value[] {
  if (!Array.isArray(pipeline))
    fail(40170, `arguments to $facet must be arrays, ${name} is type ${typeName(pipeline)}`);
  for (const stage of pipeline) {
    if (!isDoc(stage))
      fail(
        40171,
        `elements of arrays in $facet spec must be non-empty objects, ${name} argument contained an element of type ${typeName(stage)}`,
      );
    const forbidden = FORBIDDEN_IN_FACET.find((stageName) => stage.has(stageName));
    if (forbidden) fail(40600, `${forbidden} is not allowed to be used within a $facet stage`);
  }
  return pipeline;
}

/** Every document goes through all pipelines; their results come as one document. */
function facet(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec) || spec.size === 0) fail(40169, "the $facet specification must be a non-empty object");
  const memory = new HeldMemory("$facet");
  const lines = [...spec].map(([name, pipeline]) => {
    if (name.startsWith("$") || name.includes(".") || name === "")
      fail(16412, `FieldPath field names may not contain '.' nor start with '$': ${name}`);
    const results: Doc[] = [];
    const line = connectStages(compileStages(facetPipeline(name, pipeline), context), (document) => {
      memory.add(documentBytes(document));
      return results.push(document) > 0;
    });
    return { name, results, line, isOpen: true };
  });
  return {
    push(document) {
      for (const each of lines) if (each.isOpen) each.isOpen = each.line.push(document);
      return lines.some(({ isOpen }) => isOpen);
    },
    finish(next) {
      for (const { line } of lines) line.finish();
      next(new Map(lines.map(({ name, results }) => [name, results])));
    },
  };
}
