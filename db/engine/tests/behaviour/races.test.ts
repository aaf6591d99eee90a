import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

const given = await givenStore();

const WRITERS = Array.from({ length: 16 }, (_, writer) => writer);

describe("sixteen writers at once", () => {
  test("that compare and swap one document: exactly one wins each round", async () => {
    const shelf = await given.collection<{ _id: string; version: number; winner?: number }>([
      { _id: "page", version: 0 },
    ]);

    for (let version = 0; version < 25; version += 1) {
      const results = await Promise.all(
        WRITERS.map((winner) =>
          shelf.findOneAndUpdate(
            { _id: "page", version },
            { $inc: { version: 1 }, $set: { winner } },
            { returnDocument: "after" },
          ),
        ),
      );

      const won = results.filter((document) => document !== null);
      expect(won).toHaveLength(1);
      expect(await shelf.findOne()).toEqual(won[0]);
    }
  });

  test("that upsert one key make one document", async () => {
    const shelf = given.emptyCollection<{ _id: string; n: number }>();

    const results = await Promise.all(
      WRITERS.map(() => shelf.updateOne({ _id: "one" }, { $inc: { n: 1 } }, { upsert: true })),
    );

    expect(results.filter(({ upsertedCount }) => upsertedCount === 1)).toHaveLength(1);
    expect(await shelf.find().toArray()).toEqual([{ _id: "one", n: 16 }]);
  });

  test("that insert one unique key: one succeeds, the others get 11000", async () => {
    const shelf = given.emptyCollection();
    await shelf.createIndex({ email: 1 }, { unique: true });

    const results = await Promise.allSettled(
      WRITERS.map((writer) => shelf.insertOne({ email: "a@x", writer })),
    );

    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 15 }, () => 11000));
    expect(await shelf.countDocuments()).toBe(1);
  });

  test("that create the same index and collection all succeed", async () => {
    const shelf = given.emptyCollection();

    await Promise.all(WRITERS.map(() => shelf.createIndex({ a: 1 })));

    expect(await shelf.listIndexes().toArray()).toHaveLength(2);
  });

  test("that write in batches are each seen whole by readers of the batch's reply", async () => {
    const shelf = given.emptyCollection<{ writer: number; n: number }>();

    const counts = await Promise.all(
      WRITERS.map(async (writer) => {
        await shelf.insertMany(Array.from({ length: 50 }, (_, n) => ({ writer, n })));
        return shelf.countDocuments({ writer });
      }),
    );

    expect(counts).toEqual(WRITERS.map(() => 50));
    expect(await shelf.countDocuments()).toBe(800);
  });
});
