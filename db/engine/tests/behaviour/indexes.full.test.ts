import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const createIndexes = (collection: string, ...indexes: Document[]) =>
  given.db.command({ createIndexes: collection, indexes });

describe("creating an index", () => {
  test("counts indexes before and after and creates the collection", async () => {
    const shelf = given.emptyCollection();

    const first = await createIndexes(shelf.collectionName, { key: { a: 1 }, name: "a_1" });
    const second = await createIndexes(
      shelf.collectionName,
      { key: { b: 1 }, name: "b_1" },
      { key: { c: -1 }, name: "c_-1" },
    );

    expect(first).toMatchObject({
      numIndexesBefore: 1,
      numIndexesAfter: 2,
      createdCollectionAutomatically: true,
      ok: 1,
    });
    expect(second).toMatchObject({
      numIndexesBefore: 2,
      numIndexesAfter: 4,
      createdCollectionAutomatically: false,
      ok: 1,
    });
  });

  test("that exists already is no error and no second index", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndex({ a: 1 });

    const again = await createIndexes(shelf.collectionName, { key: { a: 1 }, name: "a_1" });

    expect(again).toMatchObject({
      numIndexesBefore: 2,
      numIndexesAfter: 2,
      note: "all indexes already exist",
    });
  });

  test.each<[string, Document, Document, number]>([
    ["the name of another key", { key: { a: 1 }, name: "x" }, { key: { b: 1 }, name: "x" }, 86],
    ["another name for the same key", { key: { a: 1 }, name: "x" }, { key: { a: 1 }, name: "y" }, 85],
    [
      "the same name and key, but unique",
      { key: { a: 1 }, name: "x" },
      { key: { a: 1 }, name: "x", unique: true },
      86,
    ],
    [
      "the same name and key, but another expiry",
      { key: { a: 1 }, name: "x", expireAfterSeconds: 5 },
      { key: { a: 1 }, name: "x", expireAfterSeconds: 9 },
      85,
    ],
  ])("refuses %s", async (_what, existing, requested, code) => {
    const shelf = given.emptyCollection();
    await createIndexes(shelf.collectionName, existing);

    const error = await failureOf(createIndexes(shelf.collectionName, requested));

    expect(error.code).toBe(code);
    expect(await shelf.listIndexes().toArray()).toHaveLength(2);
  });

  test.each<[string, Document, number]>([
    ["no fields", { key: {}, name: "x" }, 67],
    ["an empty field name", { key: { "": 1 }, name: "x" }, 67],
    ["direction 0", { key: { a: 0 }, name: "x" }, 67],
    ["an expiry on two fields", { key: { a: 1, b: 1 }, name: "x", expireAfterSeconds: 5 }, 67],
    ["a negative expiry", { key: { a: 1 }, name: "x", expireAfterSeconds: -1 }, 67],
    ["an option that does not exist", { key: { a: 1 }, name: "x", shiny: true }, 197],
  ])("refuses %s", async (_what, index, code) => {
    const shelf = given.emptyCollection();

    const error = await failureOf(createIndexes(shelf.collectionName, index));

    expect(error.code).toBe(code);
  });

  test("is refused as a whole when one of several is wrong", async () => {
    const shelf = await given.collection([{ a: 1 }, { a: 1 }]);

    const error = await failureOf(
      createIndexes(
        shelf.collectionName,
        { key: { b: 1 }, name: "b_1" },
        { key: { a: 1 }, name: "a_1", unique: true },
      ),
    );

    expect(error.code).toBe(11000);
    expect((await shelf.listIndexes().toArray()).map(({ name }) => name)).toEqual(["_id_"]);
  });
});

describe("listing indexes", () => {
  test("shows _id first and every option", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndex({ a: 1, b: -1 }, { unique: true });
    await shelf.createIndex({ d: 1 }, { partialFilterExpression: { d: { $gt: 5 } } });
    await shelf.createIndex({ e: 1 }, { expireAfterSeconds: 60 });

    const listed = await shelf.listIndexes().toArray();

    expect(listed).toEqual([
      { v: 2, key: { _id: 1 }, name: "_id_" },
      { v: 2, key: { a: 1, b: -1 }, name: "a_1_b_-1", unique: true },
      { v: 2, key: { d: 1 }, name: "d_1", partialFilterExpression: { d: { $gt: 5 } } },
      { v: 2, key: { e: 1 }, name: "e_1", expireAfterSeconds: 60 },
    ]);
  });

  test("of a collection that does not exist is refused", async () => {
    const error = await failureOf(given.emptyCollection().listIndexes().toArray());

    expect(error).toMatchObject({ code: 26, codeName: "NamespaceNotFound" });
  });
});

describe("dropping an index", () => {
  test("by name or key removes that one", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);

    await shelf.dropIndex("a_1");
    await given.db.command({ dropIndexes: shelf.collectionName, index: { b: 1 } });

    expect((await shelf.listIndexes().toArray()).map(({ name }) => name)).toEqual(["_id_", "c_1"]);
  });

  test("of all keeps the one on _id", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);

    const reply = await given.db.command({ dropIndexes: shelf.collectionName, index: "*" });

    expect(reply.nIndexesWas).toBe(3);
    expect((await shelf.listIndexes().toArray()).map(({ name }) => name)).toEqual(["_id_"]);
  });

  test("that does not exist, or the one on _id, is refused", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    const unknown = await failureOf(shelf.dropIndex("a_1"));
    const id = await failureOf(shelf.dropIndex("_id_"));

    expect([unknown.code, id.code]).toEqual([27, 72]);
  });

  test("lifts its rule", async () => {
    const shelf = await given.collection([{ _id: 1, a: 1 }]);
    await shelf.createIndex({ a: 1 }, { unique: true });
    await expect(shelf.insertOne({ _id: 2, a: 1 })).rejects.toMatchObject({ code: 11000 });

    await shelf.dropIndex("a_1");

    await shelf.insertOne({ _id: 2, a: 1 });
    expect(await shelf.countDocuments({ a: 1 })).toBe(2);
  });
});
