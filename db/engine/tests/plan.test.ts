import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileFilter } from "../filter/match.ts";
import { countMatches, Deadline, planSearch, readRows, type Search } from "../search/query.ts";
import { openPlan } from "../search/scan.ts";
import { createTupleComparator, createTupleReader, parseSort } from "../search/sort.ts";
import type { Collection } from "../storage/collection.ts";
import { Store } from "../storage/store.ts";
import { decode, encode } from "../values/bson.ts";
import { present } from "../values/present.ts";
import { type Doc, Int32, type Value } from "../values/values.ts";
import { commonValue } from "./arbitrary.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

let directory: string;
let store: Store;
let made = 0;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "codeshelf-plan-"));
  store = new Store({ directory, sync: "normal" });
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

const int = (value: number): Value => new Int32(value);
const map = (fields: Record<string, Value>): Doc => new Map(Object.entries(fields));

const fieldValue = fc.oneof(
  { weight: 6, arbitrary: commonValue },
  { weight: 2, arbitrary: fc.array(commonValue, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ d: commonValue }).map(map) },
  { weight: 1, arbitrary: fc.array(fc.record({ d: commonValue }).map(map), { maxLength: 3 }) },
);
/** A field of every document has no arrays, so that there is something to sort by. */
const orderedValue = commonValue.filter((value) => !Array.isArray(value));
const document = fc
  .record({ a: fieldValue, b: fieldValue, c: orderedValue }, { requiredKeys: [] })
  .map((fields) => map(fields as Record<string, Value>));

const path = fc.constantFrom("a", "b", "c", "a.d", "b.d", "_id");
const direction = fc.constantFrom(int(1), int(-1));

const comparison = fc.oneof(
  commonValue,
  fc
    .tuple(fc.constantFrom("$eq", "$gt", "$gte", "$lt", "$lte", "$ne"), commonValue)
    .map(([op, value]) => map({ [op]: value })),
  fc.tuple(commonValue, commonValue).map(([low, high]) => map({ $gte: low, $lt: high })),
  fc.array(commonValue, { maxLength: 4 }).map((values) => map({ $in: values })),
  fc.array(commonValue, { minLength: 1, maxLength: 2 }).map((values) => map({ $all: values })),
  fc.boolean().map((present) => map({ $exists: present })),
  fc.constantFrom(map({ $regex: "x" }), map({ $size: int(1) })),
);
const conditions = fc.array(fc.tuple(path, comparison), { maxLength: 3 }).map((pairs): Doc => new Map(pairs));
const query = fc.oneof(
  { weight: 4, arbitrary: conditions },
  {
    weight: 1,
    arbitrary: fc
      .tuple(conditions, fc.array(conditions, { minLength: 1, maxLength: 3 }))
      .map(([own, branches]): Doc => new Map([...own, ["$or", branches]])),
  },
);
const sortPath = fc.constantFrom("c", "c", "_id", "_id", "a", "b.d");
const sortSpec = fc
  .array(fc.tuple(sortPath, direction), { maxLength: 2 })
  .map((pairs): Doc => new Map(pairs));

const partial = fc.constantFrom(
  map({ a: map({ $gt: int(2) }) }),
  map({ b: map({ $exists: true }) }),
  map({ c: "x" }),
  map({ a: map({ $lte: int(3) }), b: int(1) }),
);
const indexSpec = fc
  .tuple(
    fc.uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([name]) => name }),
    fc.option(partial),
  )
  .map(([fields, filter]): Doc => {
    const key: Doc = new Map(fields);
    const spec = map({ key, name: `i${JSON.stringify([...key.keys()])}${++made}` });
    if (filter) spec.set("partialFilterExpression", filter);
    return spec;
  });

function fill(collection: Collection, documents: Doc[]): void {
  for (const [i, fields] of documents.entries()) {
    try {
      collection.insert(encode(new Map([["_id", int(i)], ...fields])));
    } catch (error) {
      if ((error as { code: number }).code !== 171) throw error;
    }
  }
}

/** Indexes that say the same under another name are refused; the rest stand. */
function addIndexes(collection: Collection, specs: Doc[]): void {
  for (const spec of specs) {
    try {
      collection.createIndexes([spec]);
    } catch (error) {
      if (![85, 86, 171].includes((error as { code: number }).code)) throw error;
    }
  }
}

async function found(search: Search): Promise<Doc[]> {
  const out: Doc[] = [];
  for await (const rows of readRows(store, search)) for (const row of rows) out.push(decode(row.doc));
  return out;
}

/** Every document is asked, in the order of the table. */
function scanned(collection: Collection, filter: Doc): Doc[] {
  const { matches } = compileFilter(filter);
  const rows = openPlan(store, collection, { kind: "scan" });
  const out: Doc[] = [];
  for (let next = rows.next(100); next.length > 0; next = rows.next(100))
    out.push(...next.map((row) => decode(row.doc)).filter(matches));
  return out;
}

const ids = (documents: Doc[]): number[] => documents.map((item) => (item.get("_id") as Int32).value);

function searchIn(collection: Collection, filter: Doc, sort: Doc, limit: number): Search {
  const keys = parseSort(sort);
  return {
    collection,
    filter: compileFilter(filter),
    sort: keys,
    limit,
    hint: undefined,
    deadline: new Deadline(0),
  };
}

function orderOf(sort: Doc): (a: Doc, b: Doc) => number {
  const keys = parseSort(sort);
  const placeOf = createTupleReader(keys);
  const inOrder = createTupleComparator(keys);
  return (a, b) => inOrder(placeOf(a), placeOf(b));
}

/** Arrays have no order: a sort by one is refused. */
function hasArrays(documents: Doc[], sort: Doc): boolean {
  const order = orderOf(sort);
  try {
    for (const item of documents) order(item, present(documents[0]));
    return false;
  } catch (error) {
    expect((error as { code: number }).code).toBe(238);
    return true;
  }
}

describe("a query answered through indexes", () => {
  test("finds what a scan finds, in the order asked for, and counts the same", async () => {
    const library = fc.record({
      documents: fc.array(document, { maxLength: 25 }),
      indexes: fc.array(indexSpec, { minLength: 1, maxLength: 4 }),
      late: fc.boolean(),
      queries: fc.array(fc.tuple(query, sortSpec, fc.integer({ min: 0, max: 4 })), {
        minLength: 4,
        maxLength: 8,
      }),
    });
    await fc.assert(
      fc.asyncProperty(library, async ({ documents, indexes, late, queries }) => {
        const collection = store.create("fuzz", `c${++made}`);
        if (!late) addIndexes(collection, indexes);
        fill(collection, documents);
        if (late) addIndexes(collection, indexes);
        for (const [filter, sort, limit] of queries) {
          const scan = scanned(collection, filter);
          if (hasArrays(scan, sort)) continue;
          const all = await found(searchIn(collection, filter, sort, 0));
          expect(ids(all).sort((a, b) => a - b)).toEqual(ids(scan).sort((a, b) => a - b));

          const order = orderOf(sort);
          for (let i = 1; i < all.length; i++)
            expect(order(present(all[i - 1]), present(all[i]))).toBeLessThanOrEqual(0);

          const page = await found(searchIn(collection, filter, sort, limit));
          expect(page.length).toBe(limit > 0 ? Math.min(limit, all.length) : all.length);
          page.forEach((item, i) => {
            expect(order(item, present(all[i]))).toBe(0);
          });
          expect(await countMatches(store, searchIn(collection, filter, sort, 0))).toBe(all.length);
        }
        store.drop(collection);
        await store.waitForCommit();
      }),
      countRuns(300),
    );
  }, 120_000);

  test("still does after updates and removals", async () => {
    const change = fc.tuple(fc.nat({ max: 30 }), fc.option(document));
    const library = fc.record({
      documents: fc.array(document, { minLength: 5, maxLength: 15 }),
      indexes: fc.array(indexSpec, { minLength: 1, maxLength: 3 }),
      changes: fc.array(change, { maxLength: 10 }),
      queries: fc.array(conditions, { minLength: 4, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(library, async ({ documents, indexes, changes, queries }) => {
        const collection = store.create("fuzz", `c${++made}`);
        addIndexes(collection, indexes);
        fill(collection, documents);
        for (const [at, replacement] of changes) {
          const row = collection.findRow(at + 1);
          if (!row) continue;
          try {
            if (replacement)
              collection.update(row, new Map([["_id", present(decode(row.doc).get("_id"))], ...replacement]));
            else collection.remove(row);
          } catch (error) {
            expect((error as { code: number }).code).toBe(171);
          }
        }
        for (const filter of queries) {
          const scan = scanned(collection, filter);
          const planned = await found(searchIn(collection, filter, new Map(), 0));
          expect(ids(planned).sort((a, b) => a - b)).toEqual(ids(scan).sort((a, b) => a - b));
        }
        expect(collection.count).toBe((await found(searchIn(collection, new Map(), new Map(), 0))).length);
        store.drop(collection);
        await store.waitForCommit();
      }),
      countRuns(150),
    );
  }, 120_000);
});

describe("a page of one owner's living documents", () => {
  const ordered = map({ created: int(-1), _id: int(-1) });

  async function library(): Promise<Collection> {
    const collection = store.create("fuzz", `c${++made}`);
    const key = map({ owner: int(1), deleted: int(1), created: int(-1), _id: int(-1) });
    collection.createIndexes([map({ key, name: "page" })]);
    for (let i = 0; i < 500; i++)
      collection.insert(
        encode(
          map({ _id: int(i), owner: int(i % 2), created: int(i), deleted: i % 10 === 0 ? "yes" : null }),
        ),
      );
    await store.waitForCommit();
    return collection;
  }

  test("is read in order from the index, null included, without looking at more than it shows", async () => {
    const search = searchIn(await library(), map({ owner: int(1), deleted: null }), ordered, 20);
    const examined = { keys: 0, documents: 0 };
    const page: Doc[] = [];

    for await (const rows of readRows(store, search, examined))
      page.push(...rows.map((row) => decode(row.doc)));

    expect(ids(page)).toEqual(Array.from({ length: 20 }, (_, i) => 499 - 2 * i));
    expect(examined.documents).toBeLessThanOrEqual(21);
  });

  test("is counted by its index entries alone", async () => {
    const collection = await library();
    const search = searchIn(collection, map({ owner: int(0), deleted: null }), new Map(), 0);

    expect(planSearch(store, search)).toMatchObject({ kind: "index", exact: true });
    expect(await countMatches(store, search)).toBe(200);
  });
});
