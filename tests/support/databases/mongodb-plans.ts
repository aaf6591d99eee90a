/**
 * Predicts what MongoDB can do with one index, by its planner's rules, when only the embedded engine is available. With
 * `TEST_MONGODB_URI` the same tests ask the server itself. Keys alone answer a predicate if its field is in the index and its bounds are
 * exact. Null is not exact: it also means missing. An array's field carries one predicate, and keys do not return its value. Conditions
 * at the top (`$or`, `$nor`) need the document.
 */

import type { Document } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { itemAt } from "#domain/required.ts";

const ARRAYS: Partial<Record<CollectionName, string[]>> = {
  files: ["tags"],
  shares: ["files.file_id"],
  repo_commits: ["paths"],
};

type Asked = { collection: CollectionName; filter: Document; sort?: Document; projection?: Document };
type RuledPlan = {
  /** Conditions that need the documents themselves. */
  askedOfDocuments: string[];
  isOrdered: boolean;
};

export function planByRules(query: Asked, hint: unknown): RuledPlan {
  const { collection, filter, sort = {}, projection } = query;
  const index = INDEXES[collection].find(({ name }) => name === hint);
  if (!index) throw new Error(`No index ${String(hint)} of ${collection}`);
  const lacking = lackingOfPartial(index, filter);
  if (lacking.length > 0) throw new Error(`${index.name} does not hold all files: ${lacking.join()}`);
  const arrays = ARRAYS[collection] ?? [];
  const fields = Object.keys(index.key);
  const inexact = Object.entries(filter).filter(
    ([field, predicate]) => !fields.includes(field) || !isExact(predicate, arrays.includes(field)),
  );
  const shown = projection ? shownFields(projection) : [];
  const unseen = shown.filter((field) => !fields.includes(field) || arrays.includes(field));
  return {
    askedOfDocuments: [...inexact.map(([field]) => field), ...unseen],
    isOrdered: givesOrder(index, filter, sort, arrays),
  };
}

const shownFields = (projection: Document) => {
  const fields = Object.keys(projection).filter((field) => projection[field] === 1);
  return projection._id === 0 ? fields : [...new Set([...fields, "_id"])];
};

function operators(predicate: unknown): [string, unknown][] {
  const isOperators =
    typeof predicate === "object" &&
    predicate !== null &&
    Object.getPrototypeOf(predicate) === Object.prototype &&
    Object.keys(predicate).every((name) => name.startsWith("$"));
  return isOperators ? Object.entries(predicate) : [["$eq", predicate]];
}

function isExact(predicate: unknown, isArray: boolean): boolean {
  const all = operators(predicate);
  if (isArray && all.length > 1) return false;
  return all.every(([name, operand]) => {
    if (name === "$in") return !(operand as unknown[]).includes(null);
    return (name === "$eq" || ["$gt", "$gte", "$lt", "$lte"].includes(name)) && operand !== null;
  });
}

/** Conditions of a partial index that the filter does not state in the same words. */
function lackingOfPartial(index: IndexSpec, filter: Document): string[] {
  const wanted = Object.entries(index.options?.partialFilterExpression ?? {});
  const isSaid = ([field, predicate]: [string, unknown]) =>
    operators(predicate).every(([name, operand]) =>
      operators(filter[field]).some(
        ([said, value]) => said === name && JSON.stringify(value) === JSON.stringify(operand),
      ),
    );
  return wanted.filter((entry) => !(entry[0] in filter && isSaid(entry))).map(([field]) => field);
}

const isPinned = (predicate: unknown) =>
  operators(predicate).every(([name]) => name === "$eq" || name === "$in");

function givesOrder({ key }: IndexSpec, filter: Document, sort: Document, arrays: string[]): boolean {
  const fields = Object.entries(key);
  let direction = 0;
  for (const [field, wanted] of Object.entries(sort)) {
    while (
      fields.length > 0 &&
      itemAt(fields, 0)[0] !== field &&
      itemAt(fields, 0)[0] in filter &&
      isPinned(filter[itemAt(fields, 0)[0]])
    )
      fields.shift();
    const next = fields.shift();
    if (!next || next[0] !== field || arrays.includes(field)) return false;
    if (direction !== 0 && direction !== next[1] * wanted) return false;
    direction = next[1] * wanted;
  }
  return true;
}
