import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../storage/collection.ts";
import { Store } from "../storage/store.ts";
import { sweepExpired } from "../ttl.ts";
import { decode, encode } from "../values/bson.ts";
import { docFromEjson, fromEjson } from "./ejson.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const NOW = Date.parse("2024-03-10T12:00:00Z");
const SECOND_MS = 1000;
const HOUR_S = 3600;

let directory: string;
let store: Store;
let made = 0;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "codeshelf-ttl-"));
  store = new Store({ directory, sync: "normal" });
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

type Json = Record<string, unknown>;

const date = (ms: number) => ({ $date: { $numberLong: String(ms) } });
const ago = (seconds: number) => date(NOW - seconds * SECOND_MS);

function given(documents: Json[], index: Json): Collection {
  const collection = store.create("shelf", `c${++made}`);
  collection.createIndexes([docFromEjson({ name: "ttl", key: { at: 1 }, ...index })]);
  for (const document of documents) collection.insert(encode(docFromEjson(document)));
  return collection;
}

function idsLeft(collection: Collection): unknown[] {
  const rows = Array.from({ length: 20 }, (_, r) => collection.findRow(r + 1));
  return rows.flatMap((row) => (row ? [decode(row.doc).get("_id")] : []));
}

describe("the sweep of a TTL index", () => {
  test("removes a document past its moment and leaves one before it", async () => {
    const shelf = given(
      [
        { _id: "past", at: ago(HOUR_S + 1) },
        { _id: "at its moment", at: ago(HOUR_S) },
        { _id: "soon", at: ago(HOUR_S - 1) },
        { _id: "in the future", at: ago(-HOUR_S) },
      ],
      { expireAfterSeconds: HOUR_S },
    );

    const removed = await sweepExpired(store, NOW);

    expect(removed).toBe(1);
    expect(idsLeft(shelf)).toEqual(["at its moment", "soon", "in the future"]);
    expect(shelf.count).toBe(3);
  });

  test("removes it later when its moment comes", async () => {
    const shelf = given([{ _id: 1, at: ago(0) }], { expireAfterSeconds: 10 });
    await sweepExpired(store, NOW + 10 * SECOND_MS);
    expect(idsLeft(shelf)).toHaveLength(1);

    await sweepExpired(store, NOW + 10 * SECOND_MS + 1);

    expect(idsLeft(shelf)).toEqual([]);
  });

  test("goes by a date of its own where the time allowed is none", async () => {
    const shelf = given(
      [
        { _id: "past", at: ago(1) },
        { _id: "future", at: ago(-1) },
      ],
      { expireAfterSeconds: 0, key: { at: -1 } },
    );

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual(["future"]);
  });

  test("leaves what is no date", async () => {
    const others = [
      { _id: "missing" },
      { _id: "null", at: null },
      { _id: "number", at: 0 },
      { _id: "text", at: "1970-01-01" },
      { _id: "document", at: { at: ago(2 * HOUR_S) } },
      { _id: "empty array", at: [] },
      { _id: "numbers", at: [1, 2] },
    ];
    const shelf = given([...others, { _id: "past", at: ago(2 * HOUR_S) }], { expireAfterSeconds: HOUR_S });

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual(others.map(({ _id }) => _id));
  });

  test("goes by the earliest date of an array", async () => {
    const shelf = given(
      [
        { _id: "one past", at: [ago(-HOUR_S), ago(2 * HOUR_S)] },
        { _id: "none past", at: [ago(-HOUR_S), ago(0)] },
        { _id: "past among others", at: ["x", ago(2 * HOUR_S)] },
      ],
      { expireAfterSeconds: HOUR_S },
    );

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual(["none past"]);
  });

  test("of a partial index removes only what the index holds", async () => {
    const shelf = given(
      [
        { _id: "held", at: ago(2 * HOUR_S), draft: true },
        { _id: "not held", at: ago(2 * HOUR_S), draft: false },
        { _id: "held, in time", at: ago(0), draft: true },
      ],
      { expireAfterSeconds: HOUR_S, partialFilterExpression: { draft: true } },
    );

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual(["not held", "held, in time"]);
  });

  test("tells two indexes on one field apart", async () => {
    const shelf = given(
      [
        { _id: "draft", at: ago(60), draft: true },
        { _id: "note", at: ago(60), draft: false },
      ],
      { name: "notes", expireAfterSeconds: HOUR_S, partialFilterExpression: { draft: false } },
    );
    const drafts = { expireAfterSeconds: 30, partialFilterExpression: { draft: true } };
    shelf.createIndexes([docFromEjson({ name: "drafts", key: { at: 1 }, ...drafts })]);

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual(["note"]);
  });

  test("is none for an index without expiry", async () => {
    const shelf = given([{ _id: 1, at: ago(2 * HOUR_S) }], {});

    await sweepExpired(store, NOW);

    expect(idsLeft(shelf)).toEqual([1].map((id) => fromEjson(id)));
  });
});
