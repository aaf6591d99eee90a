/**
 * Changing documents: find a row, change it, file it again. Between finding a row and writing it nothing else
 * runs, unless the search paused; then the row is read and asked once more. That is what makes a conditional
 * update a compare-and-swap.
 */

import { randomBytes } from "node:crypto";
import { Matches, planSearch, readRows, type Search, yieldToOthers } from "../search/query.ts";
import { type Collection, checkId, type Row } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { decode, encode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, ObjectId, type Value } from "../values/values.ts";
import { seedFromQuery, type Update } from "./update.ts";

/**
 * Calls `change` with a row of a search, or `otherwise` where there is none, in the same breath as finding
 * out: no other request runs in between, so they may act on what they see.
 */
export async function changeFirst<T>(
  store: Store,
  search: Search,
  change: (row: Row) => T,
  otherwise: () => T,
): Promise<T> {
  const matches = new Matches(store, planSearch(store, search), search);
  for (;;) {
    const [row] = matches.readSlice(1);
    if (row) return change(row);
    if (matches.ended) return otherwise();
    await yieldToOthers(store, search.deadline);
  }
}

/** Calls `change` with every row that matches, each once and still matching. */
export async function eachRow(store: Store, search: Search, change: (row: Row) => void): Promise<number> {
  const numbers: number[] = [];
  for await (const rows of readRows(store, search)) for (const row of rows) numbers.push(row.r);
  let changed = 0;
  let pauseAt = performance.now() + 10;
  for (const r of numbers) {
    const row = search.collection.findRow(r);
    if (!row || !search.filter.matches(decode(row.doc))) continue;
    change(row);
    changed++;
    if (performance.now() < pauseAt) continue;
    await yieldToOthers(store, search.deadline);
    pauseAt = performance.now() + 10;
  }
  return changed;
}

export interface Changed {
  modified: boolean;
  before: Doc;
  after: Doc;
}

export function applyUpdate(search: Search, row: Row, update: Update): Changed {
  const before = decode(row.doc);
  const after = update.apply(before, { insert: false, position: search.filter.position(before) });
  const same = encode(after).equals(row.doc);
  if (!same) search.collection.update(row, after);
  return { modified: !same, before, after };
}

/** Inserts the document that a query and an update result in, and returns it. */
export function insertUpserted(collection: Collection, query: Doc, update: Update): Doc {
  const seed = seedFromQuery(query, update.replaces);
  const applied = update.apply(seed, { insert: true });
  const id = applied.get("_id") === undefined ? createObjectId() : present(applied.get("_id"));
  checkId(id);
  const otherFields = [...applied].filter(([name]) => name !== "_id");
  const document: Doc = new Map<string, Value>([["_id", id], ...otherFields]);
  collection.insert(encode(document));
  return document;
}

let counter = randomBytes(3).readUIntBE(0, 3);
const machine = randomBytes(5);

export function createObjectId(): ObjectId {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.floor(Date.now() / 1000), 0);
  machine.copy(bytes, 4);
  counter = (counter + 1) & 0xffffff;
  bytes.writeUIntBE(counter, 9, 3);
  return new ObjectId(bytes);
}

/** Returns the document unchanged if it has an _id, otherwise with a new one in front. */
export function ensureId(document: Buffer, hasId: boolean): Buffer {
  if (hasId) return document;
  if (document.length < 5) fail(22, "Invalid BSON: truncated document");
  const element = Buffer.concat([Buffer.from([7]), Buffer.from("_id\0"), createObjectId().bytes]);
  const out = Buffer.concat([document.subarray(0, 4), element, document.subarray(4)]);
  out.writeInt32LE(out.length, 0);
  return out;
}
