/** Databases, collections and indexes: made, listed and dropped. */

import { compileFilter } from "../filter/match.ts";
import type { Collection } from "../storage/collection.ts";
import { encode } from "../values/bson.ts";
import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { asArray, asDoc, asString, type Doc, doc, Int32, isEqual, type Value } from "../values/values.ts";
import { cursorReply } from "./read.ts";
import {
  booleanField,
  type Command,
  collectionName,
  docField,
  findCollection,
  naturalField,
  type Request,
  requireCollection,
} from "./request.ts";

async function* encodeAsChunk(documents: Doc[]): AsyncGenerator<Buffer[]> {
  if (documents.length > 0) yield documents.map(encode);
}

/** Sends the list in one batch if it fits, so that no cursor stays open. */
async function toListReply(request: Request, namespace: string, documents: Doc[]): Promise<Doc> {
  const batchSize = naturalField(docField(request.fields, "cursor"), "batchSize") ?? documents.length;
  const single = documents.length <= batchSize;
  const batch = await request.engine.cursors.begin(namespace, encodeAsChunk(documents), {
    batchSize,
    single,
  });
  return cursorReply(namespace, "firstBatch", batch);
}

function listCollections(request: Request): Promise<Doc> {
  const { engine, db, fields } = request;
  const filter = compileFilter(docField(fields, "filter"));
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
  return toListReply(
    request,
    `${db}.$cmd.listCollections`,
    all.filter((entry) => filter.matches(entry)),
  );
}

/** Lists only names; sizes are not supported. */
function listDatabases({ engine: { store }, fields }: Request): Doc {
  if (!booleanField(fields, "nameOnly")) failUnsupported("listDatabases without nameOnly");
  const names = [...new Set(store.listAll().map(({ db }) => db))].sort();
  return doc({ databases: names.map((name) => doc({ name })) });
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
  const collection = requireCollection(request);
  return toListReply(
    request,
    collection.namespace,
    collection.allIndexes.map(({ spec }) => spec),
  );
}

/** Accepts names, `*` for all, or a key pattern. */
function namesToDrop(collection: Collection, wanted: Value | undefined): string[] {
  if (wanted === "*") return collection.indexes.map(({ name }) => name);
  if (typeof wanted === "string") return [wanted];
  if (Array.isArray(wanted)) return wanted.map((name) => asString(name, "index"));
  const key = asDoc(wanted, "index");
  const index = collection.allIndexes.find(({ spec }) => isEqual(present(spec.get("key")), key));
  return [index?.name ?? fail(27, "can't find index with the key given")];
}

function dropIndexes(request: Request): Doc {
  const collection = requireCollection(request);
  const before = new Int32(collection.allIndexes.length);
  for (const name of namesToDrop(collection, request.fields.get("index"))) collection.dropIndex(name);
  return doc({ nIndexesWas: before });
}

export const CATALOGUE: Record<string, Command> = {
  listCollections: {
    run: listCollections,
    fields: ["filter", "nameOnly", "cursor", "authorizedCollections"],
  },
  listDatabases: { run: listDatabases, fields: ["nameOnly"], admin: true },
  dropDatabase: { run: dropDatabase, fields: [] },
  createIndexes: { run: createIndexes, fields: ["indexes"] },
  listIndexes: { run: listIndexes, fields: ["cursor"] },
  dropIndexes: { run: dropIndexes, fields: ["index"] },
};
