/** findAndModify: one document is found and changed, and shown as it was or as it is. */

import { compileFilter } from "../filter/match.ts";
import { compileProjection } from "../search/projection.ts";
import type { Row } from "../storage/collection.ts";
import { applyUpdate, changeFirst, insertUpserted } from "../update/mutate.ts";
import { compileUpdate } from "../update/update.ts";
import { asRawValue, decode, encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, doc, Int32, type Value } from "../values/values.ts";
import {
  booleanField,
  type Command,
  docField,
  findCollection,
  type Request,
  readDeadline,
} from "./request.ts";
import { runRetryable } from "./retryable.ts";
import { type Outcome, runAndRemember } from "./statements.ts";
import { findOrCreateCollection } from "./write.ts";

/** Returns the remembered answer if this numbered write was done before. A write that changed nothing is done again. */
function findAndModify(request: Request): Promise<Doc> {
  return runRetryable(request, "findAndModify", async (write) => {
    const before = write?.recall(0);
    if (before) return new Map(before).set("retriedStmtId", new Int32(0));
    const outcome = () => modifyOne(request);
    const { result } = write ? await runAndRemember(write, 0, outcome) : await outcome();
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
  const update = spec === undefined ? undefined : compileUpdate(spec);
  const query = docField(fields, "query");
  docField(fields, "fields");
  const collection = wantsUpsert ? findOrCreateCollection(request) : findCollection(request);
  const search = {
    filter: compileFilter(query),
    sort: [],
    limit: 0,
    hint: undefined,
    deadline: readDeadline(fields),
  };
  const modifyRow = (row: Row): Outcome => {
    if (!update) {
      present(collection).remove(row);
      return toOutcome(projectDocument(fields, decode(row.doc)), doc({ n: new Int32(1) }), true);
    }
    const { before, after, modified } = applyUpdate(
      { ...search, collection: present(collection) },
      row,
      update,
    );
    const last = doc({ n: new Int32(1), updatedExisting: true });
    return toOutcome(projectDocument(fields, wantsNew ? after : before), last, modified);
  };
  const upsertIfWanted = (): Outcome => {
    if (!update) return toOutcome(null, doc({ n: new Int32(0) }), false);
    if (!wantsUpsert) return toOutcome(null, doc({ n: new Int32(0), updatedExisting: false }), false);
    const inserted = insertUpserted(present(collection), query, update);
    const last = doc({ n: new Int32(1), updatedExisting: false, upserted: inserted.get("_id") });
    return toOutcome(wantsNew ? projectDocument(fields, inserted) : null, last, true);
  };
  return collection
    ? changeFirst(engine.store, { ...search, collection }, modifyRow, upsertIfWanted)
    : upsertIfWanted();
}

function projectDocument(fields: Doc, document: Doc): Value {
  const spec = docField(fields, "fields");
  return spec.size === 0 ? asRawValue(encode(document)) : compileProjection(spec).apply(document);
}

function toOutcome(value: Value, lastErrorObject: Doc, wrote: boolean): Outcome {
  return { result: doc({ lastErrorObject, value }), wrote };
}

export const FIND_AND_MODIFY: Record<string, Command> = {
  findAndModify: {
    run: findAndModify,
    fields: ["query", "remove", "update", "new", "fields", "upsert"],
    retryable: true,
  },
};
