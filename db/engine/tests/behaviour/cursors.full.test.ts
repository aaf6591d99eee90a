import { type Document, Long } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const numbered = (count: number) => Array.from({ length: count }, (_, _id) => ({ _id }));
const idsOf = (documents: Document[]) => documents.map(({ _id }) => _id);

/** Commands return cursor ids as 64-bit integers, so that they can be sent back unchanged. */
const command = (document: Document) => given.db.command(document, { promoteLongs: false });

describe("a cursor", () => {
  test("returns its first batch, then the rest by getMore, then the id 0", async () => {
    const shelf = await given.collection(numbered(5));
    const name = shelf.collectionName;

    const first = await command({ find: name, sort: { _id: 1 }, batchSize: 2 });
    const second = await command({ getMore: first.cursor.id, collection: name, batchSize: 2 });
    const last = await command({ getMore: first.cursor.id, collection: name, batchSize: 2 });

    expect(first.cursor.ns).toBe(`${given.db.databaseName}.${name}`);
    expect(idsOf(first.cursor.firstBatch)).toEqual([0, 1]);
    expect(idsOf(second.cursor.nextBatch)).toEqual([2, 3]);
    expect(second.cursor.id).toEqual(first.cursor.id);
    expect(idsOf(last.cursor.nextBatch)).toEqual([4]);
    expect(last.cursor.id).toEqual(Long.ZERO);
  });

  test("starts with 101 documents unless told otherwise", async () => {
    const shelf = await given.collection(numbered(150));

    const reply = await command({ find: shelf.collectionName });

    expect(reply.cursor.firstBatch).toHaveLength(101);
    expect(reply.cursor.id).not.toEqual(Long.ZERO);
  });

  test("with batch size 0 stays open without reading", async () => {
    const shelf = await given.collection(numbered(3));
    const name = shelf.collectionName;

    const first = await command({ find: name, batchSize: 0, sort: { _id: 1 } });
    const nextBatch = await command({ getMore: first.cursor.id, collection: name });

    expect(first.cursor.firstBatch).toEqual([]);
    expect(idsOf(nextBatch.cursor.nextBatch)).toEqual([0, 1, 2]);
    expect(nextBatch.cursor.id).toEqual(Long.ZERO);
  });

  test("ends with its only batch when one batch is asked for", async () => {
    const shelf = await given.collection(numbered(5));

    const reply = await command({ find: shelf.collectionName, batchSize: 2, singleBatch: true });

    expect(reply.cursor.firstBatch).toHaveLength(2);
    expect(reply.cursor.id).toEqual(Long.ZERO);
  });

  test("that is killed is gone", async () => {
    const shelf = await given.collection(numbered(5));
    const name = shelf.collectionName;
    const { cursor } = await command({ find: name, batchSize: 2 });

    const killed = await command({ killCursors: name, cursors: [cursor.id, Long.fromNumber(12345)] });
    const error = await failureOf(command({ getMore: cursor.id, collection: name }));

    expect(killed).toMatchObject({ cursorsKilled: [cursor.id], cursorsNotFound: [Long.fromNumber(12345)] });
    expect(killed).toMatchObject({ cursorsAlive: [], cursorsUnknown: [] });
    expect(error).toMatchObject({ code: 43, codeName: "CursorNotFound" });
  });

  test("is answered only for the collection it belongs to", async () => {
    const shelf = await given.collection(numbered(5));
    const { cursor } = await command({ find: shelf.collectionName, batchSize: 2 });

    const error = await failureOf(command({ getMore: cursor.id, collection: "another" }));

    expect(error.code).toBe(13);
  });

  test.each([
    ["a find", {}],
    ["a sorted find", { sort: { a: 1 } }],
  ])("of %s ends when its collection is dropped", async (_what, options) => {
    const db = given.client.db(`${given.db.databaseName}_dropped`);
    await db.collection<{ _id: number }>("shelf").insertMany(numbered(5));
    const long = { promoteLongs: false };
    const { cursor } = await db.command({ find: "shelf", batchSize: 2, ...options }, long);

    await db.dropDatabase();
    const error = await failureOf(db.command({ getMore: cursor.id, collection: "shelf" }, long));

    expect(error).toMatchObject({ code: 175, codeName: "QueryPlanKilled" });
  });

  test("over collections or indexes is complete when all of them fit", async () => {
    const shelf = await given.collection(numbered(1));
    await shelf.createIndex({ a: 1 });

    const all = await command({ listIndexes: shelf.collectionName });
    const exactly = await command({ listIndexes: shelf.collectionName, cursor: { batchSize: 2 } });
    const fewer = await command({ listIndexes: shelf.collectionName, cursor: { batchSize: 1 } });
    const collections = await command({ listCollections: 1, filter: { name: shelf.collectionName } });

    expect([all, exactly, collections].map(({ cursor }) => cursor.id)).toEqual([
      Long.ZERO,
      Long.ZERO,
      Long.ZERO,
    ]);
    expect(fewer.cursor.firstBatch).toHaveLength(1);
    expect(fewer.cursor.id).not.toEqual(Long.ZERO);
  });

  test("over aggregation results is read in batches too", async () => {
    const shelf = await given.collection(numbered(250));

    const documents = await shelf
      .aggregate([{ $match: {} }, { $sort: { _id: 1 } }], { batchSize: 40 })
      .toArray();

    expect(idsOf(documents)).toEqual(idsOf(numbered(250)));
  });

  test("stops at a batch of 16 MB and goes on with the next", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const shelf = await given.collection(numbered(20).map((document) => ({ ...document, megabyte })));

    const first = await command({ find: shelf.collectionName, sort: { _id: 1 } });
    const documents = await shelf.find().sort({ _id: 1 }).toArray();

    expect(first.cursor.firstBatch.length).toBeLessThan(17);
    expect(idsOf(documents)).toEqual(idsOf(numbered(20)));
  });
});

describe("limit", () => {
  test("a limit spans batches", async () => {
    const shelf = await given.collection(numbered(10));

    expect(idsOf(await shelf.find({}, { batchSize: 2, limit: 5 }).sort({ _id: 1 }).toArray())).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  test("a limit of 0 is no limit, a negative one is a single batch", async () => {
    const shelf = await given.collection(numbered(150));

    expect(await shelf.find().limit(0).toArray()).toHaveLength(150);
    expect(idsOf(await shelf.find().sort({ _id: 1 }).limit(-2).toArray())).toEqual([0, 1]);
  });
});

describe("keyset paging", () => {
  interface Entry {
    _id: number;
    at: number;
  }

  test("an open cursor returns what stays, once, whatever comes and goes beside it", async () => {
    const shelf = given.emptyCollection<Entry>();
    await shelf.insertMany(Array.from({ length: 600 }, (_, n) => ({ _id: n, at: n })));
    await shelf.createIndex({ at: 1 });
    const cursor = shelf.find({ at: { $gte: 0 } }, { batchSize: 10 }).sort({ at: 1 });
    const removed = new Set([2, 40, 41, 560]);

    const documents: number[] = [];
    for await (const { _id } of cursor) {
      documents.push(_id);
      if (documents.length === 15) await shelf.deleteMany({ _id: { $in: [...removed] } });
      if (documents.length === 25) await shelf.insertOne({ _id: 1000, at: 5 });
      if (documents.length === 35) await shelf.updateMany({}, { $set: { touched: true } as never });
    }

    const stable = Array.from({ length: 600 }, (_, n) => n).filter((n) => !removed.has(n));
    expect(documents.filter((id) => !removed.has(id) && id !== 1000)).toEqual(stable);
    expect(new Set(documents).size).toBe(documents.length);
  });
});
