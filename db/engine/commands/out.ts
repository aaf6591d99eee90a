/**
 * $out: the results become a collection. They are written where nobody looks, under the indexes of the
 * collection they replace, and take its place in one step: a reader sees all of the old or all of the new, and
 * a failure leaves the old one as it was.
 */
import type { Documents } from "../cursors.ts";
import { pause } from "../search/query.ts";
import type { Collection } from "../storage/collection.ts";
import { checkNamespace } from "../storage/namespace.ts";
import { withId } from "../update/mutate.ts";
import { elements } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { type Doc, equal, isDoc, typeName, type Value } from "../values/values.ts";
import { deadlineOf, type Request } from "./request.ts";
import { type Target, targetFields, type Write } from "./target.ts";

const INTERNAL_DATABASES = new Set(["admin", "config", "local"]);

function targetOf(spec: Value, db: string): Target {
  if (typeof spec === "string") return { db, coll: spec };
  if (!isDoc(spec))
    fail(16990, `$out only supports a string or object argument, but found ${typeName(spec)}`);
  const given = targetFields(spec, "$out");
  const required = (name: keyof Target): string =>
    given[name] ?? fail(40414, `BSON field '$out.${name}' is missing but a required field`);
  return { db: required("db"), coll: required("coll") };
}

function checkTarget({ db, coll }: Target): void {
  if (coll.startsWith("system.")) fail(17385, `Can't $out to special collection: ${coll}`);
  if (INTERNAL_DATABASES.has(db)) fail(31321, `Can't $out to internal database: ${db}`);
  checkNamespace(db, coll);
}

function specsOf(collection: Collection | undefined): Doc[] {
  return collection ? collection.indexes.map(({ spec }) => spec) : [];
}

function insertAll(collection: Collection, documents: Buffer[]): void {
  for (const document of documents) {
    const hasId = elements(document).some(({ name }) => name === "_id");
    collection.insert(withId(document, hasId));
  }
}

export function replacingCollection(spec: Value, request: Request): Write {
  const target = targetOf(spec, request.db);
  checkTarget(target);
  const { store } = request.engine;
  const deadline = deadlineOf(request.fields);
  return async (documents: Documents) => {
    const indexes = specsOf(store.find(target.db, target.coll));
    const made = store.createUnseen();
    try {
      if (indexes.length > 0) made.createIndexes(indexes);
      for (let next = await documents.next(); !next.done; next = await documents.next()) {
        insertAll(made, next.value);
        await pause(store, deadline);
      }
      if (!equal(indexes, specsOf(store.find(target.db, target.coll))))
        fail(125, `indexes of target collection ${target.db}.${target.coll} changed while processing $out`);
      store.rename(made, target.db, target.coll);
    } catch (error) {
      if (!made.dropped) store.drop(made);
      throw error;
    }
  };
}
