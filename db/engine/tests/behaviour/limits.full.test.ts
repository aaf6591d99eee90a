import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenMongoDB, needsEngine } from "../server.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const MEGABYTE = 1024 * 1024;

describe("large batches", () => {
  test("of ten thousand documents are inserted, updated and deleted whole", async () => {
    const shelf = given.emptyCollection<{ _id: number; n: number }>();
    await shelf.createIndex({ n: 1 });
    const documents = Array.from({ length: 10_000 }, (_, n) => ({ _id: n, n: n % 100 }));

    const inserted = await shelf.insertMany(documents);
    const updated = await shelf.updateMany({ n: { $lt: 50 } }, { $inc: { n: 1000 } });
    const deleted = await shelf.deleteMany({ n: { $gte: 1000 } });

    expect(inserted.insertedCount).toBe(10_000);
    expect(updated).toMatchObject({ matchedCount: 5_000, modifiedCount: 5_000 });
    expect(deleted.deletedCount).toBe(5_000);
    expect(await shelf.countDocuments({ n: { $gte: 50 } })).toBe(5_000);
  });

  test("of a thousand different writes report each upsert", async () => {
    const shelf = given.emptyCollection<{ _id: number; n?: number }>();
    const writes = Array.from({ length: 1_000 }, (_, n) => ({
      updateOne: { filter: { _id: n % 600 }, update: { $inc: { n: 1 } }, upsert: true },
    }));

    const result = await shelf.bulkWrite(writes);

    expect(result).toMatchObject({ upsertedCount: 600, matchedCount: 400, modifiedCount: 400 });
    expect(await shelf.countDocuments({ n: 2 })).toBe(400);
  });

  test("without any document are refused", async () => {
    const error = await failureOf(given.db.command({ insert: "empty", documents: [] }));

    expect(error.code).toBe(16);
  });
});

describe("large documents", () => {
  test("of 15 MB are kept and returned", async () => {
    const shelf = given.emptyCollection<{ _id: number; text: string }>();

    await shelf.insertOne({ _id: 1, text: "x".repeat(15 * MEGABYTE) });

    expect((await shelf.findOne({ _id: 1 }))?.text).toHaveLength(15 * MEGABYTE);
  });

  test("of 17 MB are refused and leave the connection usable", async () => {
    const shelf = given.emptyCollection<{ _id: number; text: string }>();

    await failureOf(shelf.insertOne({ _id: 1, text: "x".repeat(17 * MEGABYTE) }));

    await shelf.insertOne({ _id: 2, text: "small" });
    expect(await shelf.find().toArray()).toEqual([{ _id: 2, text: "small" }]);
  });
});

describe("documents that grow beyond 16 MB", () => {
  /** Two of them are too much for a document, and not yet for a message of the driver. */
  const text = "x".repeat(8 * MEGABYTE);

  test.each<[string, (name: string) => Document]>([
    ["an insert", (insert) => ({ insert, documents: [{ _id: 2, text: text + text }] })],
    ["an update", (update) => ({ update, updates: [{ q: { _id: 1 }, u: { $set: { more: text } } }] })],
    [
      "an upsert",
      (update) => ({ update, updates: [{ q: { _id: 2, text }, u: { $set: { more: text } }, upsert: true }] }),
    ],
    ["a pipeline", (update) => ({ update, updates: [{ q: { _id: 1 }, u: [{ $set: { more: "$text" } }] }] })],
    [
      "findAndModify",
      (findAndModify) => ({ findAndModify, query: { _id: 1 }, update: { $set: { more: text } } }),
    ],
  ])("are refused with BSONObjectTooLarge and change nothing: %s", async (_what, command) => {
    const shelf = await given.collection<Document>([{ _id: 1 as never, text }]);

    const reply = await given.db
      .command(command(shelf.collectionName))
      .catch(({ errorResponse }) => ({ writeErrors: [errorResponse] }));

    expect(reply.writeErrors).toMatchObject([{ code: givenMongoDB ? expect.any(Number) : 10334 }]);
    expect(await shelf.find({ text, more: { $exists: false } }).toArray()).toHaveLength(1);
    expect(await shelf.countDocuments()).toBe(1);
  });

  test("are refused as a result, too", async () => {
    const shelf = await given.collection<Document>([{ text }]);

    const error = await failureOf(
      shelf.aggregate([{ $project: { text: 1, more: "$text", most: "$text" } }]).toArray(),
    );

    expect(error.code).toBe(10334);
  });
});

/** Too large a document, or too many steps. */
const TOO_MUCH = [10334, 146, 50];

describe("an expression that multiplies what it has", () => {
  needsEngine("it would fill the memory of a shared server");
  const list = Array.from({ length: 3_000 }, (_, n) => n);
  const doubled = (depth: number): Document | string =>
    depth === 0 ? "$list" : { $concatArrays: [doubled(depth - 1), doubled(depth - 1)] };
  const copied = (depth: number): Document | string =>
    depth === 0 ? "$list" : { $map: { input: [0, 1, 2, 3], in: copied(depth - 1) } };

  test.each<[string, Document | string]>([
    ["an array joined with itself", doubled(14)],
    ["an array of itself", copied(9)],
    ["a loop in a loop", { $map: { input: "$list", in: { $map: { input: "$list", in: 1 } } } }],
  ])("ends with an error, and the engine goes on: %s", async (_what, expression) => {
    const shelf = await given.collection([{ list }]);

    const error = await failureOf(shelf.aggregate([{ $project: { value: expression } }]).toArray());

    expect(TOO_MUCH).toContain(error.code);
    expect(await given.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  test("still builds what is of ordinary size", async () => {
    const shelf = await given.collection([{ list }]);

    const [made] = await shelf.aggregate([{ $project: { n: { $size: doubled(4) } } }]).toArray();

    expect(made).toMatchObject({ n: 48_000 });
  });
});
