/** find, getMore, killCursors, count, distinct. */

import type { Batch } from "../cursors.ts";
import { compileFilter } from "../filter/match.ts";
import { arrayIndex } from "../filter/path.ts";
import { compileProjection, type Projection } from "../search/projection.ts";
import { readRows, type Search } from "../search/query.ts";
import { asRawValue, decode, encode, failTooLarge, MAX_DOCUMENT_BYTES } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { encodeKey } from "../values/keys.ts";
import { present } from "../values/present.ts";
import {
  asArray,
  asString,
  compareValues,
  type Doc,
  doc,
  toCount,
  typeName,
  type Value,
} from "../values/values.ts";
import {
  type Command,
  collectionName,
  docField,
  findCollection,
  naturalField,
  orderFields,
  type Request,
  readDeadline,
  strictBooleanField,
} from "./request.ts";

export function cursorReply(namespace: string, name: "firstBatch" | "nextBatch", batch: Batch): Doc {
  return doc({ cursor: doc({ [name]: batch.documents.map(asRawValue), id: batch.id, ns: namespace }) });
}

const MAX_RESULT_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024;

/** Encodes a document of an answer, which may be a little larger than a stored one. */
export function encodeResult(document: Doc): Buffer {
  const bytes = encode(document);
  return bytes.length <= MAX_RESULT_BYTES ? bytes : failTooLarge(bytes.length, MAX_RESULT_BYTES);
}

/** Yields the encoded documents of a search. The time between batches does not count against the deadline. */
export async function* readDocuments(
  search: Search,
  store: Request["engine"]["store"],
  projection?: Projection,
): AsyncGenerator<Buffer[]> {
  for await (const rows of readRows(store, search)) {
    const documents = rows.map(({ doc: bytes }) =>
      projection ? encodeResult(projection.apply(decode(bytes, 0, projection.needs))) : bytes,
    );
    const handedOver = performance.now();
    yield documents;
    search.deadline.excludeClientTime(handedOver);
  }
}

async function* nothingFound(): AsyncGenerator<Buffer[]> {}

/** Parses the search of a command; `filterName` is the command's field for the filter. */
export function parseSearch(fields: Doc, filterName: string): Omit<Search, "collection"> {
  return {
    filter: compileFilter(docField(fields, filterName)),
    limit: naturalField(fields, "limit") ?? 0,
    ...orderFields(fields),
    deadline: readDeadline(fields),
  };
}

async function find(request: Request): Promise<Doc> {
  const { engine, fields, db } = request;
  const search = parseSearch(fields, "filter");
  const spec = docField(fields, "projection");
  const projection = spec.size > 0 ? compileProjection(spec) : undefined;
  const collection = findCollection(request);
  const source = collection
    ? readDocuments({ ...search, collection }, engine.store, projection)
    : nothingFound();
  const namespace = `${db}.${collectionName(request)}`;
  const options = {
    batchSize: naturalField(fields, "batchSize"),
    limit: search.limit,
    single: strictBooleanField(fields, "singleBatch"),
    reads: collection,
  };
  return cursorReply(namespace, "firstBatch", await engine.cursors.begin(namespace, source, options));
}

async function getMore({ engine, fields, db }: Request): Promise<Doc> {
  const id = fields.get("getMore");
  if (typeof id !== "bigint")
    fail(14, `BSON field 'getMore.getMore' is the wrong type '${typeName(id)}', expected type 'long'`);
  const namespace = `${db}.${asString(fields.get("collection"), "collection")}`;
  const batch = await engine.cursors.readMore(id, namespace, naturalField(fields, "batchSize"));
  return cursorReply(namespace, "nextBatch", batch);
}

function killCursors({ engine, fields }: Request): Doc {
  const killed: Value[] = [];
  const unknown: Value[] = [];
  for (const id of asArray(fields.get("cursors"), "cursors")) {
    if (typeof id !== "bigint") fail(14, "cursors must be of type long");
    (engine.cursors.kill(id) ? killed : unknown).push(id);
  }
  return doc({ cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] });
}

/** Counts all documents of a collection. Counts with a filter use a pipeline. */
function countCommand(request: Request): Doc {
  return doc({ n: toCount(findCollection(request)?.count ?? 0) });
}

/** Yields each value at a path. An array at the end or on the way counts as its elements. */
function* valuesAt(value: Value | undefined, parts: string[]): Generator<Value> {
  if (parts.length === 0) {
    if (Array.isArray(value)) yield* value;
    else if (value !== undefined) yield value;
  } else if (value instanceof Map) yield* valuesAt(value.get(present(parts[0])), parts.slice(1));
  else if (Array.isArray(value)) {
    const position = arrayIndex(present(parts[0]));
    if (position >= 0) yield* valuesAt(value[position], parts.slice(1));
    for (const item of value) if (item instanceof Map) yield* valuesAt(item, parts);
  }
}

async function findDistinctValues(request: Request): Promise<Doc> {
  const { engine, fields } = request;
  const path = asString(fields.get("key"), "key");
  if (path.includes("\0")) fail(2, "key must not contain NUL");
  const search = parseSearch(fields, "query");
  const collection = findCollection(request);
  const values = new Map<string, Value>();
  const parts = path.split(".");
  const top = new Set(parts.slice(0, 1));
  if (collection)
    for await (const rows of readRows(engine.store, { ...search, collection }))
      for (const row of rows)
        for (const value of valuesAt(decode(row.doc, 0, top), parts)) {
          const key = encodeKey([value]).toString("latin1");
          if (!values.has(key)) values.set(key, value);
        }
  return doc({ values: [...values.values()].sort(compareValues) });
}

export const READ: Record<string, Command> = {
  find: {
    run: find,
    fields: ["filter", "sort", "projection", "hint", "limit", "batchSize", "singleBatch"],
  },
  getMore: { run: getMore, fields: ["collection", "batchSize"] },
  killCursors: { run: killCursors, fields: ["cursors"] },
  count: { run: countCommand, fields: [] },
  distinct: { run: findDistinctValues, fields: ["key", "query"] },
};
