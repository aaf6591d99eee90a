import { describe, expect, test } from "vitest";
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

  test("cannot be made by an update either", async () => {
    const shelf = await given.collection([{ _id: 1, a: "x".repeat(9 * MEGABYTE) }]);

    await failureOf(shelf.updateOne({ _id: 1 }, { $set: { b: "y".repeat(9 * MEGABYTE) } }));

    expect(await shelf.findOne({ _id: 1 }, { projection: { b: 1 } })).toEqual({ _id: 1 });
  });
});

describe("time", () => {
  /** Three arrays of 2,000 make 8,000,000,000 combinations: no server finishes. */
  const endless = [
    { $unwind: "$a" },
    { $unwind: "$b" },
    { $unwind: "$c" },
    { $group: { _id: null, n: { $sum: 1 } } },
  ];

  test("that is up ends the operation with 50", async () => {
    const list = Array.from({ length: 2_000 }, (_, n) => n);
    const shelf = await given.collection([{ a: list, b: list, c: list }]);

    const error = await failureOf(shelf.aggregate(endless, { maxTimeMS: 100 }).toArray());

    expect(error).toMatchObject({ code: 50, codeName: "MaxTimeMSExpired" });
    expect(await shelf.countDocuments()).toBe(1);
  });

  test("that suffices changes nothing", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    expect(await shelf.find({}, { maxTimeMS: 60_000 }).toArray()).toHaveLength(1);
    expect(await shelf.aggregate([{ $count: "n" }], { maxTimeMS: 60_000 }).toArray()).toEqual([{ n: 1 }]);
  });
});
