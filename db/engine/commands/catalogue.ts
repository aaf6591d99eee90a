/** Collections and indexes: create, drop, list, change. */

import { compileFilter } from "../filter/match.ts";
import type { Collection } from "../storage/collection.ts";
import { checkNamespace } from "../storage/namespace.ts";
import { sizesOf, totalSizes } from "../storage/sizes.ts";
import { encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  asArray,
  asDoc,
  asString,
  count,
  type Doc,
  doc,
  equal,
  Int32,
  isNumber,
  isTruthy,
  toNumber,
  type Value,
} from "../values/values.ts";
import { cursorReply } from "./read.ts";
import {
  booleanField,
  type Command,
  collectionName,
  docField,
  findCollection,
  naturalField,
  needCollection,
  now,
  type Request,
} from "./request.ts";

async function* chunksOf(documents: Doc[]): AsyncGenerator<Buffer[]> {
  if (documents.length > 0) yield documents.map(encode);
}

/** All at once where they fit: a list is complete when it is sent, so no cursor waits to say so. */
async function listed(request: Request, namespace: string, documents: Doc[]): Promise<Doc> {
  const batchSize = naturalField(docField(request.fields, "cursor"), "batchSize") ?? documents.length;
  const single = documents.length <= batchSize;
  const batch = await request.engine.cursors.begin(namespace, chunksOf(documents), { batchSize, single });
  return cursorReply(namespace, "firstBatch", batch);
}

function listCollections(request: Request): Promise<Doc> {
  const { engine, db, fields } = request;
  const filter = compileFilter(docField(fields, "filter"), { now: now() });
  const nameOnly = booleanField(fields, "nameOnly");
  const all = engine.store.list(db).map(({ name }) =>
    nameOnly
      ? doc({ name, type: "collection" })
      : doc({
          name,
          type: "collection",
          options: doc(),
          info: doc({ readOnly: false }),
          idIndex: doc({ v: new Int32(2), key: doc({ _id: new Int32(1) }), name: "_id_" }),
        }),
  );
  return listed(
    request,
    `${db}.$cmd.listCollections`,
    all.filter((entry) => filter.matches(entry)),
  );
}

function listDatabases({ engine: { store }, fields }: Request): Doc {
  const filter = compileFilter(docField(fields, "filter"), { now: now() });
  const names = [...new Set(store.all().map(({ db }) => db))].sort();
  if (booleanField(fields, "nameOnly")) {
    const named = names.map((name) => doc({ name })).filter((entry) => filter.matches(entry));
    return doc({ databases: named });
  }
  const measured = names.map((name) => {
    const { storage, indexes } = totalSizes(store.list(name).map((collection) => sizesOf(store, collection)));
    return {
      size: storage + indexes,
      entry: doc({ name, sizeOnDisk: count(storage + indexes), empty: false }),
    };
  });
  const listed = measured.filter(({ entry }) => filter.matches(entry));
  return doc({
    databases: listed.map(({ entry }) => entry),
    totalSize: count(listed.reduce((sum, { size }) => sum + size, 0)),
  });
}

/** No collection has options here, so one that exists has the options asked for: no error, as MongoDB from 7.0 on. */
function create(request: Request): Doc {
  const name = collectionName(request);
  if (!findCollection(request)) request.engine.store.create(request.db, name);
  return doc();
}

function drop(request: Request): Doc {
  const collection = findCollection(request);
  if (!collection) return doc();
  const reply = doc({ nIndexesWas: new Int32(collection.allIndexes.length), ns: collection.namespace });
  request.engine.store.drop(collection);
  return reply;
}

function namespaceField(fields: Doc, field: string): { db: string; name: string } {
  const namespace = asString(fields.get(field), field);
  const dot = namespace.indexOf(".");
  if (dot < 1) fail(73, `Invalid namespace specified: '${namespace}'`);
  return { db: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}

function renameCollection({ engine: { store }, fields }: Request): Doc {
  const from = namespaceField(fields, "renameCollection");
  const to = namespaceField(fields, "to");
  const collection =
    store.find(from.db, from.name) ?? fail(26, `Source collection ${from.db}.${from.name} does not exist`);
  checkNamespace(to.db, to.name);
  const target = store.find(to.db, to.name);
  if (target === collection) fail(20, "Can't rename a collection to itself");
  if (target && !booleanField(fields, "dropTarget")) fail(48, "target namespace exists");
  store.rename(collection, to.db, to.name);
  return doc();
}

function dropDatabase({ engine, db }: Request): Doc {
  for (const collection of engine.store.list(db)) engine.store.drop(collection);
  return doc({ dropped: db });
}

function createIndexes(request: Request): Doc {
  const { engine, fields, db } = request;
  const specs = asArray(fields.get("indexes"), "indexes").map((spec) => asDoc(spec, "indexes"));
  if (specs.length === 0) fail(2, "Must specify at least one index to create");
  const existing = findCollection(request);
  const collection = existing ?? engine.store.create(db, collectionName(request));
  const before = collection.allIndexes.length;
  const added = collection.createIndexes(specs);
  return doc({
    numIndexesBefore: new Int32(before),
    numIndexesAfter: new Int32(before + added),
    createdCollectionAutomatically: existing === undefined,
    note: added === 0 ? "all indexes already exist" : undefined,
  });
}

function listIndexes(request: Request): Promise<Doc> {
  const collection = needCollection(request);
  return listed(
    request,
    collection.namespace,
    collection.allIndexes.map(({ spec }) => spec),
  );
}

/** Names, `*` for all, or a key pattern. */
function namesToDrop(collection: Collection, wanted: Value | undefined): string[] {
  if (wanted === "*") return collection.indexes.map(({ name }) => name);
  if (typeof wanted === "string") return [wanted];
  if (Array.isArray(wanted)) return wanted.map((name) => asString(name, "index"));
  const key = asDoc(wanted, "index");
  const index = collection.allIndexes.find(({ spec }) => equal(present(spec.get("key")), key));
  return [index?.name ?? fail(27, "can't find index with the key given")];
}

function dropIndexes(request: Request): Doc {
  const collection = needCollection(request);
  const before = new Int32(collection.allIndexes.length);
  for (const name of namesToDrop(collection, request.fields.get("index"))) collection.dropIndex(name);
  return doc({ nIndexesWas: before });
}

/** collMod changes the expiry of a TTL index, and nothing else. */
function collMod(request: Request): Doc {
  const collection = needCollection(request);
  const change = asDoc(request.fields.get("index"), "index");
  const { name, keyPattern, expireAfterSeconds } = Object.fromEntries(change) as Record<
    string,
    Value | undefined
  >;
  for (const field of change.keys())
    if (!["name", "keyPattern", "expireAfterSeconds"].includes(field))
      fail(72, `collMod of '${field}' is not supported by the embedded engine`);
  const index = collection.indexes.find((one) =>
    name !== undefined
      ? one.name === name
      : keyPattern !== undefined && equal(present(one.spec.get("key")), keyPattern),
  );
  if (!index) fail(27, "cannot find the index to change");
  if (!isNumber(expireAfterSeconds)) fail(72, "expireAfterSeconds must be a number");
  const old = index.expireAfterSeconds;
  collection.setExpiry(index, toNumber(expireAfterSeconds));
  return doc({
    expireAfterSeconds_old: old === undefined ? undefined : count(old),
    expireAfterSeconds_new: count(toNumber(expireAfterSeconds)),
  });
}

const CREATE_OPTIONS = [
  "capped",
  "validator",
  "viewOn",
  "timeseries",
  "clusteredIndex",
  "changeStreamPreAndPostImages",
];

function createPlain(request: Request): Doc {
  for (const option of CREATE_OPTIONS)
    if (isTruthy(request.fields.get(option)))
      fail(72, `create with '${option}' is not supported by the embedded engine`);
  return create(request);
}

export const CATALOGUE: Record<string, Command> = {
  listCollections: {
    run: listCollections,
    fields: ["filter", "nameOnly", "cursor", "authorizedCollections"],
  },
  listDatabases: {
    run: listDatabases,
    fields: ["filter", "nameOnly", "authorizedDatabases"],
    admin: true,
  },
  create: { run: createPlain, fields: CREATE_OPTIONS },
  drop: { run: drop, fields: [] },
  renameCollection: { run: renameCollection, fields: ["to", "dropTarget"], admin: true },
  dropDatabase: { run: dropDatabase, fields: [] },
  createIndexes: { run: createIndexes, fields: ["indexes", "commitQuorum"] },
  listIndexes: { run: listIndexes, fields: ["cursor"] },
  dropIndexes: { run: dropIndexes, fields: ["index"] },
  collMod: { run: collMod, fields: ["index"] },
};
