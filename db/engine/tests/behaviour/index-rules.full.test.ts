import type { CreateIndexesOptions, Document, IndexSpecification } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

async function indexed(key: IndexSpecification, options: CreateIndexesOptions, documents: Document[]) {
  const shelf = given.emptyCollection();
  await shelf.createIndex(key, options);
  if (documents.length > 0) await shelf.insertMany(documents);
  return shelf;
}

describe("a unique index", () => {
  test("refuses a second document with the same key and tells which", async () => {
    const shelf = await indexed({ email: 1 }, { unique: true }, [{ email: "a@x" }]);

    const error = await failureOf(shelf.insertOne({ email: "a@x" }));

    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: "a@x" } });
    expect(error.message).toContain("E11000 duplicate key error");
    expect(error.message).toContain("email_1");
  });

  test("refuses an update into an existing key and leaves the document as it was", async () => {
    const shelf = await indexed({ email: 1 }, { unique: true }, [
      { _id: 1, email: "a" },
      { _id: 2, email: "b" },
    ] as Document[]);

    const error = await failureOf(shelf.updateOne({ email: "b" }, { $set: { email: "a", touched: true } }));

    expect(error.code).toBe(11000);
    expect(await shelf.findOne({ email: "b" })).toEqual({ _id: 2, email: "b" });
  });

  test("lets a document keep its own key", async () => {
    const shelf = await indexed({ email: 1 }, { unique: true }, [{ email: "a", n: 1 }]);

    const result = await shelf.replaceOne({ email: "a" }, { email: "a", n: 2 });

    expect(result.modifiedCount).toBe(1);
  });

  test("frees a key when its document goes", async () => {
    const shelf = await indexed({ email: 1 }, { unique: true }, [{ email: "a" }]);

    await shelf.deleteOne({ email: "a" });

    await shelf.insertOne({ email: "a" });
    expect(await shelf.countDocuments()).toBe(1);
  });

  test("takes a missing field as null, once", async () => {
    const shelf = await indexed({ email: 1 }, { unique: true }, [{ n: 1 }]);

    const missing = await failureOf(shelf.insertOne({ n: 2 }));
    const isNull = await failureOf(shelf.insertOne({ email: null }));

    expect([missing.code, isNull.code]).toEqual([11000, 11000]);
    expect(missing.keyValue).toEqual({ email: null });
  });

  test("over several fields compares them together", async () => {
    const shelf = await indexed({ owner: 1, path: 1 }, { unique: true }, [{ owner: "a", path: "x" }]);

    await shelf.insertMany([
      { owner: "a", path: "y" },
      { owner: "b", path: "x" },
    ]);
    const error = await failureOf(shelf.insertOne({ path: "x", owner: "a" }));

    expect(error).toMatchObject({ code: 11000, keyValue: { owner: "a", path: "x" } });
    expect(await shelf.countDocuments()).toBe(3);
  });

  test("cannot be made over documents that break it, which stay", async () => {
    const shelf = await given.collection([{ a: 1 }, { a: 1 }]);

    const error = await failureOf(shelf.createIndex({ a: 1 }, { unique: true }));

    expect(error.code).toBe(11000);
    expect(await shelf.listIndexes().toArray()).toHaveLength(1);
    expect(await shelf.countDocuments()).toBe(2);
  });

  test('treats 1 and 1.0 as one key and 1 and "1" as two', async () => {
    const shelf = await indexed({ a: 1 }, { unique: true }, [{ a: 1 }]);

    await shelf.insertOne({ a: "1" });
    const error = await failureOf(shelf.insertMany([{ a: 1.5 }, { a: 1.0 }]));

    expect(error).toMatchObject({ code: 11000, insertedCount: 1 });
  });
});

describe("a partial index", () => {
  const partialFilterExpression = { state: "open" };

  test("that is unique holds only for the documents it covers", async () => {
    const shelf = await indexed({ slot: 1 }, { unique: true, partialFilterExpression }, [
      { slot: 1, state: "open" },
      { slot: 1, state: "done" },
      { slot: 1, state: "done" },
    ]);

    const inserted = await failureOf(shelf.insertOne({ slot: 1, state: "open" }));
    const moved = await failureOf(shelf.updateOne({ state: "done" }, { $set: { state: "open" } }));

    expect([inserted.code, moved.code]).toEqual([11000, 11000]);
    expect(await shelf.countDocuments({ state: "done" })).toBe(2);
  });

  test("lets go of a document that leaves its filter", async () => {
    const shelf = await indexed({ slot: 1 }, { unique: true, partialFilterExpression }, [
      { slot: 1, state: "open" },
    ]);

    await shelf.updateOne({ slot: 1 }, { $set: { state: "done" } });

    await shelf.insertOne({ slot: 1, state: "open" });
    expect(await shelf.countDocuments({ slot: 1 })).toBe(2);
  });
});

describe("an index over arrays", () => {
  test("that is unique keeps elements apart between documents, not within one", async () => {
    const shelf = await indexed({ tags: 1 }, { unique: true }, [{ tags: ["a", "a"] }]);

    const error = await failureOf(shelf.insertOne({ tags: ["b", "a"] }));

    expect(error.code).toBe(11000);
    await shelf.insertOne({ tags: ["b", "c"] });
  });

  test("refuses a document with arrays in two of its fields", async () => {
    const shelf = await indexed({ a: 1, b: 1 }, {}, [
      { a: [1], b: 1 },
      { a: 1, b: [1] },
    ]);

    const error = await failureOf(shelf.insertOne({ a: [1], b: [1] }));

    expect(error.code).toBe(171);
    expect(await shelf.countDocuments()).toBe(2);
  });
});
