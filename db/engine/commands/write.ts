/** insert, update, delete. */

import { compileFilter } from "../filter/match.ts";
import type { Search } from "../search/query.ts";
import type { Collection, Row } from "../storage/collection.ts";
import { checkNamespace } from "../storage/namespace.ts";
import { applyUpdate, changeFirst, eachRow, ensureId, insertUpserted } from "../update/mutate.ts";
import { compileUpdate } from "../update/update.ts";
import { MAX_DOCUMENT_BYTES, scanElements, validateDocument } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, doc, Int32, isNumber, toCount, toNumber, type Value } from "../values/values.ts";
import {
  type Command,
  collectionName,
  docField,
  findCollection,
  type Request,
  readDeadline,
  strictBooleanField,
} from "./request.ts";
import { runRetryable } from "./retryable.ts";
import {
  type Batch,
  type Outcome,
  readStatements,
  runStatements,
  sumResults,
  toWriteReply,
} from "./statements.ts";

export function findOrCreateCollection(request: Request): Collection {
  return findCollection(request) ?? request.engine.store.create(request.db, collectionName(request));
}

const NOTHING: Outcome = { result: doc({ n: new Int32(0), nModified: new Int32(0) }), wrote: false };
const MATCHED: Outcome = { result: doc({ n: new Int32(1), nModified: new Int32(0) }), wrote: false };
const MODIFIED: Outcome = { result: doc({ n: new Int32(1), nModified: new Int32(1) }), wrote: true };
const INSERTED: Outcome = { result: doc({ n: new Int32(1) }), wrote: true };
const REMOVED = INSERTED;

async function insert(request: Request): Promise<Doc> {
  const documents =
    request.documents ?? fail(40414, "BSON field 'insert.documents' is missing but a required field");
  if (!findCollection(request)) checkNamespace(request.db, collectionName(request));
  const insertOne = (document: Buffer): Outcome => {
    if (document.length > MAX_DOCUMENT_BYTES)
      fail(
        10334,
        `object to insert too large. size in bytes: ${document.length}, max size: ${MAX_DOCUMENT_BYTES}`,
      );
    validateDocument(document, 0);
    const hasId = scanElements(document).some(({ name }) => name === "_id");
    findOrCreateCollection(request).insert(ensureId(document, hasId));
    return INSERTED;
  };
  const batch = await runRetryable(request, "insert", (write) =>
    runStatements(request, write, documents, insertOne),
  );
  return toWriteReply({ n: sumResults(batch, "n") }, batch);
}

/** What a statement may say; the first two it must. */
const UPDATE_FIELDS = new Set(["q", "u", "multi", "upsert"]);
const DELETE_FIELDS = new Set(["q", "limit"]);

function statementSearch(request: Request, fields: Doc, collection: Collection): Search {
  return {
    collection,
    filter: compileFilter(docField(fields, "q")),
    sort: [],
    limit: 0,
    hint: undefined,
    deadline: readDeadline(request.fields),
  };
}

async function runUpdateStatement(request: Request, fields: Doc): Promise<Outcome> {
  const multi = strictBooleanField(fields, "multi");
  if (multi && request.fields.has("txnNumber"))
    fail(72, "Cannot use (or request) retryable writes with multi=true");
  const update = compileUpdate(present(fields.get("u")));
  if (multi && update.replaces) fail(9, "multi update is not supported for replacement-style update");
  const { store } = request.engine;
  const wantsUpsert = strictBooleanField(fields, "upsert");
  const collection = wantsUpsert ? findOrCreateCollection(request) : findCollection(request);
  if (!collection) {
    compileFilter(docField(fields, "q"));
    return NOTHING;
  }
  const search = statementSearch(request, fields, collection);
  const upsertIfWanted = (): Outcome => {
    if (!wantsUpsert) return NOTHING;
    const inserted = insertUpserted(collection, docField(fields, "q"), update);
    return { result: doc({ n: new Int32(1), upserted: inserted.get("_id") }), wrote: true };
  };
  if (!multi) {
    const change = (row: Row): Outcome => (applyUpdate(search, row, update).modified ? MODIFIED : MATCHED);
    return changeFirst(store, search, change, upsertIfWanted);
  }
  let modified = 0;
  const matched = await eachRow(store, search, (row) => {
    if (applyUpdate(search, row, update).modified) modified++;
  });
  if (matched === 0) return upsertIfWanted();
  return { result: doc({ n: toCount(matched), nModified: toCount(modified) }), wrote: modified > 0 };
}

async function update(request: Request): Promise<Doc> {
  const statements = readStatements(request.fields.get("updates"), UPDATE_FIELDS, "update.updates");
  const batch = await runRetryable(request, "update", (write) =>
    runStatements(request, write, statements, (statement) => runUpdateStatement(request, statement)),
  );
  const n = sumResults(batch, "n");
  return toWriteReply({ n, upserted: listUpserted(batch), nModified: sumResults(batch, "nModified") }, batch);
}

function listUpserted({ results }: Batch): Value[] | undefined {
  const upserted = [...results].flatMap(([index, result]): Value[] =>
    result.has("upserted") ? [doc({ index: new Int32(index), _id: result.get("upserted") })] : [],
  );
  return upserted.length > 0 ? upserted : undefined;
}

/** Reads how many documents a statement may delete: 1, or 0 for all matching ones. */
function readDeleteLimit(fields: Doc): number {
  const limit = fields.get("limit");
  if (!isNumber(limit) || (toNumber(limit) !== 0 && toNumber(limit) !== 1))
    fail(9, "The limit field in delete objects must be 0 or 1");
  return toNumber(limit);
}

async function runDeleteStatement(request: Request, fields: Doc): Promise<Outcome> {
  const { store } = request.engine;
  const deletesAll = readDeleteLimit(fields) === 0;
  if (deletesAll && request.fields.has("txnNumber"))
    fail(72, "Cannot use (or request) retryable writes with limit=0");
  const collection = findCollection(request);
  if (!collection) {
    compileFilter(docField(fields, "q"));
    return NOTHING;
  }
  const search = statementSearch(request, fields, collection);
  if (deletesAll) {
    const n = await eachRow(store, search, (row) => collection.remove(row));
    return { result: doc({ n: toCount(n) }), wrote: n > 0 };
  }
  const remove = (row: Row): Outcome => {
    collection.remove(row);
    return REMOVED;
  };
  return changeFirst(store, search, remove, () => NOTHING);
}

async function deleteDocuments(request: Request): Promise<Doc> {
  const statements = readStatements(request.fields.get("deletes"), DELETE_FIELDS, "delete.deletes");
  statements.forEach(readDeleteLimit);
  const batch = await runRetryable(request, "delete", (write) =>
    runStatements(request, write, statements, (statement) => runDeleteStatement(request, statement)),
  );
  return toWriteReply({ n: sumResults(batch, "n") }, batch);
}

export const WRITE: Record<string, Command> = {
  insert: { run: insert, fields: ["documents", "ordered"], retryable: true },
  update: { run: update, fields: ["updates", "ordered"], retryable: true },
  delete: { run: deleteDocuments, fields: ["deletes", "ordered"], retryable: true },
};
