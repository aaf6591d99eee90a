/**
 * $merge: each result is put into a collection, beside what is there. Whether its match exists is found out in
 * the same breath as it is written; results before one that fails stay written, as in MongoDB.
 */
import type { Documents } from "../cursors.ts";
import { compileExpression, newScope, type Variables } from "../expression/expression.ts";
import { splitPath } from "../expression/path.ts";
import { compileFilter } from "../filter/match.ts";
import { type Deadline, pause, type Search } from "../search/query.ts";
import type { Collection } from "../storage/collection.ts";
import { checkNamespace } from "../storage/namespace.ts";
import type { Store } from "../storage/store.ts";
import { applyUpdate, changeFirst, newObjectId } from "../update/mutate.ts";
import { compileUpdate, type Update } from "../update/update.ts";
import { decode, encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { type Doc, UNDEFINED, type Value } from "../values/values.ts";
import { type MergeOptions, mergeOptions, type WhenMatched, type WhenNotMatched } from "./merge-options.ts";
import { deadlineOf, letField, now, type Request } from "./request.ts";
import type { Write } from "./target.ts";

/** What becomes of an existing document; undefined where it stays as it is. */
type Change = (incoming: Doc, options: MergeOptions, variables: Variables) => Update | undefined;

const CHANGES: Readonly<Record<Exclude<WhenMatched, "fail">, Change>> = {
  keepExisting: () => undefined,
  merge: (incoming) => compileUpdate(new Map([["$set", incoming]])),
  pipeline: (incoming, options, variables) =>
    compileUpdate(options.stages, [], pipelineVariables(incoming, options, variables)),
  replace: (incoming) => compileUpdate(incoming),
};

const OTHERWISE: Readonly<Record<WhenNotMatched, (collection: Collection, incoming: Doc) => void>> = {
  discard: () => {},
  fail: () =>
    fail(
      13113,
      "$merge could not find a matching document in the target collection for at least one document in the source collection",
    ),
  insert: (collection, incoming) => collection.insert(encode(incoming)),
};

/** `$$new` is the new document; the pipeline's own variables are computed from it. */
function pipelineVariables(incoming: Doc, options: MergeOptions, outer: Variables): Variables {
  const scope = newScope(incoming, now());
  const own = [...options.variables].map(([name, spec]): [string, Value] => {
    const value = compileExpression(spec, outer)(scope);
    return [name, value === undefined ? UNDEFINED : value];
  });
  return new Map([...outer, ["new", incoming], ...own]);
}

/** Any other fields than _id have to be those of a unique index, else a match could be one of many. */
function checkUnique({ target, on }: MergeOptions, collection: Collection | undefined): void {
  if (on.length === 1 && on[0] === "_id") return;
  const serves = collection?.indexes.some(
    ({ unique, partial, fields }) =>
      unique && !partial && fields.length === on.length && fields.every(({ path }) => on.includes(path)),
  );
  if (!serves)
    fail(51183, `Cannot find index to verify that join fields will be unique in ${target.db}.${target.coll}`);
}

function valueOn(document: Doc, path: string): Value {
  let node: Value | undefined = document;
  for (const part of splitPath(path)) node = node instanceof Map ? node.get(part) : undefined;
  if (node === undefined || node === null || node === UNDEFINED || Array.isArray(node))
    fail(51132, `$merge write error: 'on' field '${path}' cannot be missing, null, undefined or an array`);
  return node;
}

function searchFor(collection: Collection, incoming: Doc, on: string[], deadline: Deadline): Search {
  const query: Doc = new Map(on.map((path) => [path, new Map([["$eq", valueOn(incoming, path)]])]));
  const filter = compileFilter(query);
  return { collection, filter, sort: [], skip: 0, limit: 0, hint: undefined, deadline };
}

function identified(document: Doc): Doc {
  if (document.has("_id")) return document;
  return new Map<string, Value>([["_id", newObjectId()], ...document]);
}

interface Merge {
  store: Store;
  options: MergeOptions;
  variables: Variables;
  deadline: Deadline;
}

async function mergeOne({ store, options, variables, deadline }: Merge, document: Doc): Promise<void> {
  const { target, on, whenMatched, whenNotMatched } = options;
  const collection = store.find(target.db, target.coll) ?? store.create(target.db, target.coll);
  const incoming = on.includes("_id") ? identified(document) : document;
  const search = searchFor(collection, incoming, on, deadline);
  if (whenMatched === "fail") return collection.insert(encode(identified(incoming)));
  const update = CHANGES[whenMatched](incoming, options, variables);
  await changeFirst(
    store,
    search,
    (row) => void (update && applyUpdate(search, row, update, now())),
    () => OTHERWISE[whenNotMatched](collection, identified(incoming)),
  );
}

const MAX_BYTES = 256 * 1024 * 1024;

/** All results are known before the first is written: the collection written to may be the one read. */
async function collected(documents: Documents): Promise<Buffer[]> {
  const all: Buffer[] = [];
  let bytes = 0;
  for (let next = await documents.next(); !next.done; next = await documents.next())
    for (const document of next.value) {
      bytes += document.length;
      if (bytes > MAX_BYTES) fail(292, `the results of $merge exceed ${MAX_BYTES} bytes`);
      all.push(document);
    }
  return all;
}

export function merging(spec: Value, request: Request): Write {
  const options = mergeOptions(spec, request.db);
  const { target } = options;
  checkNamespace(target.db, target.coll);
  const { store } = request.engine;
  checkUnique(options, store.find(target.db, target.coll));
  const deadline = deadlineOf(request.fields);
  const merge: Merge = { store, options, variables: letField(request.fields), deadline };
  return async (documents) => {
    const all = await collected(documents);
    await pause(store, deadline);
    let pauseAt = performance.now() + 10;
    for (const document of all) {
      await mergeOne(merge, decode(document));
      if (performance.now() < pauseAt) continue;
      await pause(store, deadline);
      pauseAt = performance.now() + 10;
    }
  };
}
