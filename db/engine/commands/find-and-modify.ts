/** findAndModify: one document is found and changed, and shown as it was or as it is. */

import { compileFilter } from "../filter/match.ts";
import { compileProjection } from "../search/projection.ts";
import type { Row } from "../storage/collection.ts";
import { applyUpdate, changeFirst, upsert } from "../update/mutate.ts";
import { compileUpdate } from "../update/update.ts";
import { decode, encode, raw } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, doc, Int32, type Value } from "../values/values.ts";
import {
  booleanField,
  type Command,
  deadlineOf,
  docField,
  findCollection,
  letField,
  now,
  orderFields,
  type Request,
} from "./request.ts";
import { runRetryable } from "./retryable.ts";
import { asStatementId, type Outcome, runRemembered } from "./statements.ts";
import { arrayFilters, targetCollection } from "./write.ts";

/** Answers from memory where this numbered write was done before; what wrote nothing is done again. */
function findAndModify(request: Request): Promise<Doc> {
  const given = request.fields.get("stmtId");
  const id = given === undefined ? 0 : asStatementId(given);
  return runRetryable(request, "findAndModify", async (write) => {
    const before = write?.recall(id);
    if (before) return new Map(before).set("retriedStmtId", new Int32(id));
    const outcome = () => modifyOne(request);
    const { result } = write ? await runRemembered(request, write, id, outcome) : await outcome();
    return new Map(result);
  });
}

async function modifyOne(request: Request): Promise<Outcome> {
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
  docField(fields, "fields");
  const collection = wantsUpsert ? targetCollection(request) : findCollection(request);
  const search = {
    filter: compileFilter(query, { now: now(), let: letField(fields) }),
    skip: 0,
    limit: 0,
    ...orderFields(fields),
    deadline: deadlineOf(fields),
  };
  const position = (document: Doc): number | undefined => search.filter.position(document);
  const change = (row: Row): Outcome => {
    if (!update) {
      present(collection).remove(row);
      return toOutcome(shown(fields, decode(row.doc), position), doc({ n: new Int32(1) }), true);
    }
    const { before, after, modified } = applyUpdate(
      { ...search, collection: present(collection) },
      row,
      update,
      now(),
    );
    const last = doc({ n: new Int32(1), updatedExisting: true });
    return toOutcome(shown(fields, wantsNew ? after : before, position), last, modified);
  };
  const otherwise = (): Outcome => {
    if (!update) return toOutcome(null, doc({ n: new Int32(0) }), false);
    if (!wantsUpsert) return toOutcome(null, doc({ n: new Int32(0), updatedExisting: false }), false);
    const made = upsert(present(collection), query, update, now());
    const last = doc({ n: new Int32(1), updatedExisting: false, upserted: made.get("_id") });
    return toOutcome(wantsNew ? shown(fields, made, position) : null, last, true);
  };
  return collection ? changeFirst(engine.store, { ...search, collection }, change, otherwise) : otherwise();
}

function shown(fields: Doc, document: Doc, position: (document: Doc) => number | undefined): Value {
  const spec = fields.get("fields") ?? fields.get("projection");
  if (!(spec instanceof Map) || spec.size === 0) return raw(encode(document));
  return compileProjection(spec, { now: now(), let: letField(fields), position }).apply(document);
}

function toOutcome(value: Value, lastErrorObject: Doc, wrote: boolean): Outcome {
  return { result: doc({ lastErrorObject, value }), wrote };
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
  "stmtId",
];

export const FIND_AND_MODIFY: Record<string, Command> = {
  findAndModify: { run: findAndModify, fields: MODIFY_FIELDS, retryable: true },
  findandmodify: { run: findAndModify, fields: MODIFY_FIELDS, retryable: true },
};
