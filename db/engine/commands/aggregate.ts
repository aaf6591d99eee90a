/**
 * aggregate: the leading $match, $sort, $skip and $limit become a search through the indexes, the rest is
 * pushed through the stages. A pipeline that only counts (as countDocuments sends it) is a count.
 */

import { compileStages } from "../aggregate/aggregate.ts";
import type { PipelineContext, Sink, Stage } from "../aggregate/stage.ts";
import type { Documents } from "../cursors.ts";
import { compileFilter } from "../filter/match.ts";
import { countMatches, type Deadline, pause, planSearch, rowsOf, type Search } from "../search/query.ts";
import { openPlan } from "../search/scan.ts";
import { parseSort, type SortKey } from "../search/sort.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { decode, encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  asArray,
  asDoc,
  count,
  type Doc,
  doc,
  equal,
  Int32,
  isNumber,
  isTruthy,
  toInteger,
  toNumber,
  type Value,
} from "../values/values.ts";
import { splitDestination } from "./destination.ts";
import { cursorReply, documentsOf, encodeResult } from "./read.ts";
import { type Command, deadlineOf, hintField, letField, naturalField, now, type Request } from "./request.ts";
import { type Sourced, splitCollectionSource, splitDatabaseSource } from "./source.ts";

const MAX_RESULT_BYTES = 256 * 1024 * 1024;
const CHUNK = 100;

interface Head {
  search: Omit<Search, "collection">;
  rest: Value[];
}

/** What of the pipeline's beginning the indexes can do. */
export function splitHead(pipeline: Value[], fields: Doc): Head {
  const rest = [...pipeline];
  const nextIs = (name: string): Value | undefined => {
    const [stage] = rest;
    return stage instanceof Map && stage.size === 1 ? stage.get(name) : undefined;
  };
  let filter: Doc = new Map();
  let sort: SortKey[] = [];
  const match = nextIs("$match");
  if (match instanceof Map) {
    filter = match;
    rest.shift();
  }
  const order = nextIs("$sort");
  if (order instanceof Map && [...order.values()].every(isNumber)) {
    sort = parseSort(order);
    rest.shift();
  }
  const skip = toInteger(nextIs("$skip")) ?? 0;
  if (skip > 0) rest.shift();
  const limit = toInteger(nextIs("$limit")) ?? 0;
  if (limit > 0) rest.shift();
  return {
    search: {
      filter: compileFilter(filter, { now: now(), let: letField(fields) }),
      sort,
      skip: Math.max(skip, 0),
      limit: Math.max(limit, 0),
      hint: hintField(fields),
      deadline: deadlineOf(fields),
    },
    rest,
  };
}

const ONE = new Int32(1);

/** `{$group: {_id: <constant>, n: {$sum: 1}}}` alone: the constant; else undefined. */
export function countedAs(rest: Value[]): Value | undefined {
  if (rest.length !== 1 || !(rest[0] instanceof Map)) return undefined;
  const group = rest[0].get("$group");
  if (!(group instanceof Map) || group.size !== 2) return undefined;
  const id = group.get("_id");
  const sum = group.get("n");
  const constant = id === null || isNumber(id);
  return constant && sum !== undefined && equal(sum, new Map([["$sum", ONE]])) ? id : undefined;
}

function pipelineContext(request: Request, deadline: Deadline): PipelineContext {
  const { store } = request.engine;
  return {
    now: now(),
    variables: letField(request.fields),
    checkTime: () => deadline.check(),
    lookup: (name, path, value) => lookup(store, request.db, name, path, value),
  };
}

/** $lookup's equality: an array asks for itself, as a whole or as an element; missing and null ask for either. */
function lookup(store: Store, db: string, name: string, path: string, value: Value): Doc[] {
  const collection = store.find(db, name);
  if (!collection) return [];
  const filter = compileFilter(new Map([[path, new Map([["$eq", value]])]]));
  const source = openPlan(
    store,
    collection,
    planSearch(store, { collection, filter, sort: [], skip: 0, limit: 0, hint: undefined }),
  );
  const found: Doc[] = [];
  for (let rows = source.next(CHUNK); rows.length > 0; rows = source.next(CHUNK))
    for (const row of rows) {
      const document = decode(row.doc);
      if (filter.matches(document)) found.push(document);
    }
  return found;
}

/** The stages as one sink in front of `last`, and the way to end them, each into the one after it. */
function chained(stages: Stage[], last: Sink): { push: Sink; finish(): void } {
  const sinks: Sink[] = [last];
  for (const stage of stages.toReversed()) {
    const next = present(sinks[0]);
    sinks.unshift((document) => stage.push(document, next));
  }
  const finish = (): void => stages.forEach((stage, i) => void stage.finish(present(sinks[i + 1])));
  return { push: present(sinks[0]), finish };
}

/** What is pushed through the stages: rows found, or nothing. */
type Feed = (push: Sink) => Promise<void> | void;

/** Answers when all that the feed brings is through the stages. */
async function piped(feed: Feed, stages: Stage[]): Promise<Buffer[]> {
  const out: Buffer[] = [];
  let bytes = 0;
  const { push, finish } = chained(stages, (document) => {
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
  for await (const rows of rowsOf(store, search)) {
    for (const row of rows) if (!push(decode(row.doc))) return;
    if (performance.now() < pauseAt) continue;
    await pause(store, search.deadline);
    pauseAt = performance.now() + 10;
  }
}

async function* chunked(documents: Buffer[]): AsyncGenerator<Buffer[]> {
  for (let at = 0; at < documents.length; at += CHUNK) yield documents.slice(at, at + CHUNK);
}

interface Result {
  documents: Documents;
  /** The collection that is read as the client asks for more; undefined where all is known already. */
  reads?: Collection;
}

const known = (documents: Buffer[]): Result => ({ documents: chunked(documents) });

async function resultOf(request: Request, name: string, pipeline: Value[]): Promise<Result> {
  const { store } = request.engine;
  const sourced = splitCollectionSource(pipeline, request);
  if (sourced) return sourcedResult(request, sourced);
  const { search, rest } = splitHead(pipeline, request.fields);
  const stages = compileStages(rest, pipelineContext(request, search.deadline));
  const collection = store.find(request.db, name);
  if (!collection) return known(await piped(() => {}, stages));
  const counted = countedAs(rest);
  if (counted !== undefined) {
    const n = await countMatches(store, { ...search, collection });
    return known(n > 0 ? [encode(doc({ _id: counted, n: count(n) }))] : []);
  }
  if (stages.length === 0)
    return { documents: documentsOf({ ...search, collection }, store), reads: collection };
  return known(await piped((push) => pushRows(store, { ...search, collection }, push), stages));
}

async function sourcedResult(request: Request, { documents, rest }: Sourced): Promise<Result> {
  const stages = compileStages(rest, pipelineContext(request, deadlineOf(request.fields)));
  return known(await piped((push) => void documents.every(push), stages));
}

export function pipelineOf(fields: Doc): Value[] {
  const pipeline = asArray(fields.get("pipeline"), "pipeline");
  for (const stage of pipeline)
    if (!(stage instanceof Map) || stage.size !== 1)
      fail(40323, "A pipeline stage specification object must contain exactly one field.");
  return pipeline;
}

/** The collection's name; undefined for a pipeline over no collection. */
function targetOf(fields: Doc): string | undefined {
  const target = fields.get("aggregate");
  if (typeof target === "string") return target;
  if (isNumber(target) && toNumber(target) === 1) return undefined;
  fail(9, "Invalid command format: the 'aggregate' field must specify a collection name or 1");
}

async function aggregate(request: Request): Promise<Doc> {
  const { engine, fields, db } = request;
  const target = targetOf(fields);
  const options = fields.get("cursor");
  if (options === undefined && !isTruthy(fields.get("explain")))
    fail(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const batchSize = naturalField(asDoc(options, "cursor"), "batchSize");
  const namespace = `${db}.${target ?? "$cmd.aggregate"}`;
  const { stages, write } = splitDestination(pipelineOf(fields), request);
  const { documents, reads } =
    target === undefined
      ? await sourcedResult(request, splitDatabaseSource(stages, request))
      : await resultOf(request, target, stages);
  const source = write ? await write(documents) : documents;
  const batch = await engine.cursors.begin(namespace, source, {
    batchSize,
    reads: write ? undefined : reads,
  });
  return cursorReply(namespace, "firstBatch", batch);
}

export const AGGREGATE: Record<string, Command> = {
  aggregate: {
    run: aggregate,
    fields: ["pipeline", "cursor", "hint", "let", "allowDiskUse", "bypassDocumentValidation"],
  },
};
