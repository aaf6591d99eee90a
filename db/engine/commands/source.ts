/** First stages that bring their documents along: pipelines over no collection, `{aggregate: 1}`, and about one. */

import { hostname } from "node:os";
import { compileExpression, newScope } from "../expression/expression.ts";
import { show } from "../expression/numbers.ts";
import { fail, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { asString, count, type Doc, doc, isDoc, isTruthy, UtcDate, type Value } from "../values/values.ts";
import { letField, now, type Request } from "./request.ts";
import { scaleOf, storageStats } from "./shell.ts";

type Source = (spec: Value, request: Request) => Doc[];

/** An expression that sees no document and gives a list of documents. */
function documents(spec: Value, { fields }: Request): Doc[] {
  const found = compileExpression(spec, letField(fields))(newScope(new Map(), now()));
  if (!Array.isArray(found)) fail(5858203, "an array is expected of $documents");
  return found.map((document) =>
    isDoc(document) ? document : fail(40228, `$documents are objects, but found: ${show(document)}`),
  );
}

/** One user, or nobody, has all sessions: whose are asked for makes no difference. */
function listLocalSessions(spec: Value, { engine, fields }: Request): Doc[] {
  if (isTruthy(fields.get("apiStrict"))) fail(323, "$listLocalSessions is not in API Version 1");
  if (!isDoc(spec) || [...spec.keys()].some((name) => name !== "allUsers"))
    fail(72, "$listLocalSessions of chosen users is not supported by the embedded engine");
  return engine.sessions.list(engine.account ? `${engine.account.user}@admin` : "", Date.now());
}

const SOURCES: Readonly<Record<string, Source>> = {
  $documents: documents,
  $listLocalSessions: listLocalSessions,
};

const COLL_STATS_FIELDS = ["storageStats", "count"];

/** One document about the collection itself. */
function collStats(spec: Value, request: Request): Doc[] {
  if (!isDoc(spec)) fail(5447000, "$collStats must take a nested object");
  for (const name of spec.keys())
    if (!COLL_STATS_FIELDS.includes(name)) unsupported(`'${name}' in $collStats`);
  const { store } = request.engine;
  const name = asString(request.fields.get("aggregate"), "aggregate");
  const collection = store.find(request.db, name);
  const storage = spec.get("storageStats");
  if (spec.has("count") && !collection)
    fail(26, `Unable to retrieve count in $collStats stage: ${request.db}.${name} not found`);
  return [
    doc({
      ns: `${request.db}.${name}`,
      host: hostname(),
      localTime: new UtcDate(now()),
      storageStats: isDoc(storage) ? doc(storageStats(store, collection, scaleOf(storage))) : undefined,
      count: spec.has("count") ? count(present(collection).count) : undefined,
    }),
  ];
}

/** The same over a collection, in place of its documents. */
const COLLECTION_SOURCES: Readonly<Record<string, Source>> = { $collStats: collStats };

export interface Sourced {
  documents: Doc[];
  /** The stages behind it. */
  rest: Value[];
}

export function splitDatabaseSource(pipeline: Value[], request: Request): Sourced {
  const [first, ...rest] = pipeline;
  const [name, spec] = isDoc(first) ? present([...first][0]) : fail(9, "{aggregate: 1} needs a pipeline");
  if (!Object.hasOwn(SOURCES, name))
    fail(73, `{aggregate: 1} is not valid for '${name}'; a collection is required.`);
  return { documents: present(SOURCES[name])(spec, request), rest };
}

/** A pipeline over a collection that does not start from its documents; undefined where it does. */
export function splitCollectionSource(pipeline: Value[], request: Request): Sourced | undefined {
  const [first, ...rest] = pipeline;
  const [name, spec] = (isDoc(first) ? [...first][0] : undefined) ?? [];
  if (name === undefined) return undefined;
  if (Object.hasOwn(SOURCES, name))
    fail(73, `${name} must be run against a database with {aggregate: 1}, not a collection`);
  if (!Object.hasOwn(COLLECTION_SOURCES, name)) return undefined;
  return { documents: present(COLLECTION_SOURCES[name])(present(spec), request), rest };
}
