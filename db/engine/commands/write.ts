/** insert, update, delete, findAndModify. */

import { compileFilter } from "../filter/match.ts";
import { compileProjection } from "../search/projection.ts";
import { pause, type Search } from "../search/query.ts";
import type { Collection, Row } from "../storage/collection.ts";
import { checkNamespace } from "../storage/store.ts";
import { applyUpdate, changeFirst, eachRow, upsert, withId } from "../update/mutate.ts";
import { compileUpdate } from "../update/update.ts";
import { decode, elements, encode, MAX_DOCUMENT_BYTES, raw, validate } from "../values/bson.ts";
import { EngineError, fail, unsupported } from "../values/errors.ts";
import {
  asArray,
  asDoc,
  count,
  type Doc,
  doc,
  Int32,
  isNumber,
  isTruthy,
  toNumber,
  type Value,
} from "../values/values.ts";
import { MAX_BATCH } from "./handshake.ts";
import {
  booleanField,
  type Command,
  collectionName,
  deadlineOf,
  docField,
  findCollection,
  hintField,
  letField,
  now,
  orderFields,
  type Request,
} from "./request.ts";

/** The collection to write to, made where it does not exist. */
function targetCollection(request: Request): Collection {
  return findCollection(request) ?? request.engine.store.create(request.db, collectionName(request));
}

export function errorFields(error: EngineError): Record<string, Value | undefined> {
  const { keyPattern, keyValue } = error.context as Record<string, Value | undefined>;
  return { code: new Int32(error.code), errmsg: error.message, keyPattern, keyValue };
}

/** Runs statements in order; a refused one is reported, and ends an ordered batch. */
async function eachStatement<T>(
  request: Request,
  statements: T[],
  run: (statement: T, index: number) => void | Promise<void>,
): Promise<Value[]> {
  if (statements.length === 0 || statements.length > MAX_BATCH)
    fail(16, `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length} operations.`);
  const ordered = request.fields.get("ordered") === undefined || isTruthy(request.fields.get("ordered"));
  const deadline = deadlineOf(request.fields);
  const writeErrors: Value[] = [];
  let pauseAt = performance.now() + 10;
  for (const [index, statement] of statements.entries()) {
    try {
      await run(statement, index);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 50) throw error;
      writeErrors.push(doc({ index: new Int32(index), ...errorFields(error) }));
      if (ordered) break;
    }
    if (performance.now() < pauseAt) continue;
    await pause(request.engine.store, deadline);
    pauseAt = performance.now() + 10;
  }
  return writeErrors;
}

function writeReply(fields: Record<string, Value | undefined>, writeErrors: Value[]): Doc {
  return doc({ ...fields, writeErrors: writeErrors.length > 0 ? writeErrors : undefined });
}

async function insert(request: Request): Promise<Doc> {
  const documents =
    request.documents ?? fail(40414, "BSON field 'insert.documents' is missing but a required field");
  if (!findCollection(request)) checkNamespace(request.db, collectionName(request));
  let n = 0;
  const writeErrors = await eachStatement(request, documents, (document) => {
    if (document.length > MAX_DOCUMENT_BYTES)
      fail(
        10334,
        `object to insert too large. size in bytes: ${document.length}, max size: ${MAX_DOCUMENT_BYTES}`,
      );
    validate(document, 0);
    const hasId = elements(document).some(({ name }) => name === "_id");
    targetCollection(request).insert(withId(document, hasId));
    n++;
  });
  return writeReply({ n: new Int32(n) }, writeErrors);
}

/** What a statement may say; the first two it must. */
const UPDATE_FIELDS = new Set([
  "q",
  "u",
  "multi",
  "upsert",
  "arrayFilters",
  "hint",
  "c",
  "collation",
  "sort",
]);
const DELETE_FIELDS = new Set(["q", "limit", "hint", "collation"]);

/** The statements of a batch. A malformed one is an error of the whole command: none of them is run. */
function statementsOf(statements: Value | undefined, known: ReadonlySet<string>, command: string): Doc[] {
  const [, field] = command.split(".");
  return asArray(statements, field).map((statement) => statementFields(statement, known, command));
}

function statementFields(statement: Value, known: ReadonlySet<string>, command: string): Doc {
  const fields = asDoc(statement, command);
  for (const [name, value] of fields) {
    if (!known.has(name)) fail(40415, `BSON field '${command}.${name}' is an unknown field.`);
    if ((name === "collation" || name === "sort" || name === "c") && isTruthy(value))
      unsupported(`'${name}' in ${command}`);
  }
  const [query, change] = known;
  for (const name of [query, change])
    if (!fields.has(name)) fail(40414, `BSON field '${command}.${name}' is missing but a required field`);
  return fields;
}

function statementSearch(request: Request, fields: Doc, collection: Collection): Search {
  return {
    collection,
    filter: compileFilter(docField(fields, "q"), { now: now(), let: letField(request.fields) }),
    sort: [],
    skip: 0,
    limit: 0,
    hint: hintField(fields),
    deadline: deadlineOf(request.fields),
  };
}

interface UpdateTally {
  matched: number;
  modified: number;
  upserted: Value[];
}

async function updateOne(request: Request, fields: Doc, index: number, tally: UpdateTally): Promise<void> {
  const multi = booleanField(fields, "multi");
  const update = compileUpdate(fields.get("u")!, arrayFilters(fields), letField(request.fields));
  if (multi && update.replaces) fail(9, "multi update is not supported for replacement-style update");
  const { store } = request.engine;
  const wantsUpsert = booleanField(fields, "upsert");
  const collection = wantsUpsert ? targetCollection(request) : findCollection(request);
  const at = now();
  if (!collection) {
    compileFilter(docField(fields, "q"), { now: at });
    return;
  }
  const search = statementSearch(request, fields, collection);
  const change = (row: Row): void => {
    tally.matched++;
    if (applyUpdate(search, row, update, at).modified) tally.modified++;
  };
  const otherwise = (): void => {
    if (!wantsUpsert) return;
    const made = upsert(collection, docField(fields, "q"), update, at);
    tally.matched++;
    tally.upserted.push(doc({ index: new Int32(index), _id: made.get("_id") }));
  };
  if (!multi) await changeFirst(store, search, change, otherwise);
  else if ((await eachRow(store, search, change)) === 0) otherwise();
}

function arrayFilters(fields: Doc): Value[] | undefined {
  const filters = fields.get("arrayFilters");
  return filters === undefined || filters === null ? undefined : asArray(filters, "arrayFilters");
}

async function update(request: Request): Promise<Doc> {
  const statements = statementsOf(request.fields.get("updates"), UPDATE_FIELDS, "update.updates");
  const tally: UpdateTally = { matched: 0, modified: 0, upserted: [] };
  const writeErrors = await eachStatement(request, statements, (statement, index) =>
    updateOne(request, statement, index, tally),
  );
  const upserted = tally.upserted.length > 0 ? tally.upserted : undefined;
  return writeReply({ n: count(tally.matched), upserted, nModified: count(tally.modified) }, writeErrors);
}

async function deleteCommand(request: Request): Promise<Doc> {
  const { store } = request.engine;
  let n = 0;
  const statements = statementsOf(request.fields.get("deletes"), DELETE_FIELDS, "delete.deletes");
  for (const limit of statements.map((fields) => fields.get("limit")))
    if (!isNumber(limit) || (toNumber(limit) !== 0 && toNumber(limit) !== 1))
      fail(9, "The limit field in delete objects must be 0 or 1");
  const writeErrors = await eachStatement(request, statements, async (fields) => {
    const collection = findCollection(request);
    if (!collection) return;
    const search = statementSearch(request, fields, collection);
    if (!isTruthy(fields.get("limit"))) {
      n += await eachRow(store, search, (row) => collection.remove(row));
      return;
    }
    const remove = (row: Row): number => {
      collection.remove(row);
      return 1;
    };
    n += await changeFirst(store, search, remove, () => 0);
  });
  return writeReply({ n: count(n) }, writeErrors);
}

async function findAndModify(request: Request): Promise<Doc> {
  const { fields, engine } = request;
  const remove = booleanField(fields, "remove");
  const wantsUpsert = booleanField(fields, "upsert");
  const wantsNew = booleanField(fields, "new");
  const spec = fields.get("update");
  if (remove && (spec !== undefined || wantsUpsert || wantsNew))
    fail(9, "Cannot specify an update, upsert or new=true along with remove=true");
  if (!remove && spec === undefined) fail(9, "Either an update or remove=true must be specified");
  const update = spec === undefined ? undefined : compileUpdate(spec, arrayFilters(fields), letField(fields));
  const query = docField(fields, "query");
  const collection = wantsUpsert ? targetCollection(request) : findCollection(request);
  const search = {
    filter: compileFilter(query, { now: now(), let: letField(fields) }),
    skip: 0,
    limit: 0,
    ...orderFields(fields),
    deadline: deadlineOf(fields),
  };
  const position = (document: Doc): number | undefined => search.filter.position(document);
  const change = (row: Row): Doc => {
    if (!update) {
      collection!.remove(row);
      return modifyReply(shown(fields, decode(row.doc), position), doc({ n: new Int32(1) }));
    }
    const { before, after } = applyUpdate({ ...search, collection: collection! }, row, update, now());
    const last = doc({ n: new Int32(1), updatedExisting: true });
    return modifyReply(shown(fields, wantsNew ? after : before, position), last);
  };
  const otherwise = (): Doc => {
    if (!update) return modifyReply(null, doc({ n: new Int32(0) }));
    if (!wantsUpsert) return modifyReply(null, doc({ n: new Int32(0), updatedExisting: false }));
    const made = upsert(collection!, query, update, now());
    const last = doc({ n: new Int32(1), updatedExisting: false, upserted: made.get("_id") });
    return modifyReply(wantsNew ? shown(fields, made, position) : null, last);
  };
  return collection ? changeFirst(engine.store, { ...search, collection }, change, otherwise) : otherwise();
}

function shown(fields: Doc, document: Doc, position: (document: Doc) => number | undefined): Value {
  const spec = fields.get("fields") ?? fields.get("projection");
  if (!(spec instanceof Map) || spec.size === 0) return raw(encode(document));
  return compileProjection(spec, { now: now(), let: letField(fields), position }).apply(document);
}

function modifyReply(value: Value, lastErrorObject: Doc): Doc {
  return doc({ lastErrorObject, value });
}

const MODIFY_FIELDS = [
  "query",
  "sort",
  "remove",
  "update",
  "new",
  "fields",
  "upsert",
  "arrayFilters",
  "hint",
  "let",
  "bypassDocumentValidation",
];

export const WRITE: Record<string, Command> = {
  insert: { run: insert, fields: ["documents", "ordered", "bypassDocumentValidation"] },
  update: { run: update, fields: ["updates", "ordered", "let", "bypassDocumentValidation"] },
  delete: { run: deleteCommand, fields: ["deletes", "ordered", "let"] },
  findAndModify: { run: findAndModify, fields: MODIFY_FIELDS },
  findandmodify: { run: findAndModify, fields: MODIFY_FIELDS },
};
