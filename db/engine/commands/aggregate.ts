/**
 * aggregate: the leading $match, $sort and $limit become a search through the indexes, the rest is
 * pushed through the stages. A pipeline that only counts (as countDocuments sends it) is a count.
 */

import { compileStages, connectStages } from "../aggregate/aggregate.ts";
import type { Sink, Stage } from "../aggregate/stage.ts";
import type { Documents } from "../cursors.ts";
import { compileFilter } from "../filter/match.ts";
import { countMatches, readRows, type Search, yieldToOthers } from "../search/query.ts";
import { parseSort, type SortKey } from "../search/sort.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { decode, encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import {
  asArray,
  asDoc,
  type Doc,
  doc,
  Int32,
  isEqual,
  isNumber,
  toCount,
  toInteger,
  type Value,
} from "../values/values.ts";
import { cursorReply, encodeResult, readDocuments } from "./read.ts";
import {
  type Command,
  collectionName,
  hintField,
  naturalField,
  type Request,
  readDeadline,
} from "./request.ts";

const MAX_RESULT_BYTES = 256 * 1024 * 1024;
const CHUNK = 100;

interface Head {
  search: Omit<Search, "collection">;
  rest: Value[];
}

/** Splits a pipeline into the first stages, which indexes can answer, and the others. */
export function splitPipeline(pipeline: Value[], fields: Doc): Head {
  const laterStages = [...pipeline];
  const peekStage = (name: string): Value | undefined => {
    const [stage] = laterStages;
    return stage instanceof Map && stage.size === 1 ? stage.get(name) : undefined;
  };
  let filter: Doc = new Map();
  let sort: SortKey[] = [];
  const match = peekStage("$match");
  if (match instanceof Map) {
    filter = match;
    laterStages.shift();
  }
  const order = peekStage("$sort");
  if (order instanceof Map && [...order.values()].every(isNumber)) {
    sort = parseSort(order);
    laterStages.shift();
  }
  const limit = toInteger(peekStage("$limit")) ?? 0;
  if (limit > 0) laterStages.shift();
  return {
    search: {
      filter: compileFilter(filter),
      sort,
      limit: Math.max(limit, 0),
      hint: hintField(fields),
      deadline: readDeadline(fields),
    },
    rest: laterStages,
  };
}

const ONE = new Int32(1);

/** Returns the constant if the only stage is `{$group: {_id: <constant>, n: {$sum: 1}}}`, otherwise undefined. */
export function findCountConstant(laterStages: Value[]): Value | undefined {
  if (laterStages.length !== 1 || !(laterStages[0] instanceof Map)) return undefined;
  const group = laterStages[0].get("$group");
  if (!(group instanceof Map) || group.size !== 2) return undefined;
  const id = group.get("_id");
  const sum = group.get("n");
  const constant = id === null || isNumber(id);
  return constant && sum !== undefined && isEqual(sum, new Map([["$sum", ONE]])) ? id : undefined;
}

/** What is pushed through the stages: rows found, or nothing. */
type Feed = (push: Sink) => Promise<void> | void;

/** Runs all documents of the feed through the stages and returns the encoded results. */
async function runStages(feed: Feed, stages: Stage[]): Promise<Buffer[]> {
  const out: Buffer[] = [];
  let bytes = 0;
  const { push, finish } = connectStages(stages, (document) => {
    const encoded = encodeResult(document);
    bytes += encoded.length;
    if (bytes > MAX_RESULT_BYTES) fail(292, `aggregation result exceeds ${MAX_RESULT_BYTES} bytes`);
    out.push(encoded);
    return true;
  });
  await feed(push);
  finish();
  return out;
}

async function pushRows(store: Store, search: Search, push: Sink): Promise<void> {
  let pauseAt = performance.now() + 10;
  for await (const rows of readRows(store, search)) {
    for (const row of rows) if (!push(decode(row.doc))) return;
    if (performance.now() < pauseAt) continue;
    await yieldToOthers(store, search.deadline);
    pauseAt = performance.now() + 10;
  }
}

async function* splitIntoChunks(documents: Buffer[]): AsyncGenerator<Buffer[]> {
  for (let start = 0; start < documents.length; start += CHUNK) yield documents.slice(start, start + CHUNK);
}

interface Result {
  documents: Documents;
  /** The collection that is read as the client asks for more; undefined where all is known already. */
  reads?: Collection;
}

const documentResult = (documents: Buffer[]): Result => ({ documents: splitIntoChunks(documents) });

async function runPipeline(request: Request): Promise<Result> {
  const { store } = request.engine;
  const { search, rest: laterStages } = splitPipeline(readPipeline(request.fields), request.fields);
  const stages = compileStages(laterStages, { checkTime: () => search.deadline.check() });
  const collection = store.find(request.db, collectionName(request));
  if (!collection) return documentResult(await runStages(() => {}, stages));
  const counted = findCountConstant(laterStages);
  if (counted !== undefined) {
    const n = await countMatches(store, { ...search, collection });
    return documentResult(n > 0 ? [encode(doc({ _id: counted, n: toCount(n) }))] : []);
  }
  if (stages.length === 0)
    return { documents: readDocuments({ ...search, collection }, store), reads: collection };
  return documentResult(await runStages((push) => pushRows(store, { ...search, collection }, push), stages));
}

export function readPipeline(fields: Doc): Value[] {
  const pipeline = asArray(fields.get("pipeline"), "pipeline");
  for (const stage of pipeline)
    if (!(stage instanceof Map) || stage.size !== 1)
      fail(40323, "A pipeline stage specification object must contain exactly one field.");
  return pipeline;
}

async function aggregate(request: Request): Promise<Doc> {
  const { engine, fields, db } = request;
  const options = fields.get("cursor");
  if (options === undefined) fail(9, "The 'cursor' option is required");
  const batchSize = naturalField(asDoc(options, "cursor"), "batchSize");
  const namespace = `${db}.${collectionName(request)}`;
  const { documents, reads } = await runPipeline(request);
  return cursorReply(
    namespace,
    "firstBatch",
    await engine.cursors.begin(namespace, documents, { batchSize, reads }),
  );
}

export const AGGREGATE: Record<string, Command> = {
  aggregate: { run: aggregate, fields: ["pipeline", "cursor", "hint", "allowDiskUse"] },
};
