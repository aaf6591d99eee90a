import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const files = [
  { _id: 1, language: "ts", tags: ["a", "b"], size: { w: 1 } },
  { _id: 2, language: "ts", tags: ["b"], size: { w: 2 } },
  { _id: 3, language: "py", tags: [], size: { w: 1 } },
  { _id: 4, language: null },
  { _id: 5 },
];

describe("count", () => {
  test("counts all, some and at most so many documents", async () => {
    const shelf = await given.collection<{ _id: number; language?: string | null }>(files);

    expect(await shelf.countDocuments()).toBe(5);
    expect(await shelf.estimatedDocumentCount()).toBe(5);
    expect(await shelf.countDocuments({ language: "ts" })).toBe(2);
    expect(await shelf.countDocuments({ language: { $ne: "ts" } })).toBe(3);
    expect(await shelf.countDocuments({}, { limit: 3 })).toBe(3);
  });

  test("of a collection that does not exist is 0", async () => {
    const shelf = given.emptyCollection();

    expect(await shelf.countDocuments({ a: 1 })).toBe(0);
    expect(await shelf.estimatedDocumentCount()).toBe(0);
  });
});

describe("distinct", () => {
  test("lists each value once, elements of arrays one by one", async () => {
    const shelf = await given.collection(files);

    expect((await shelf.distinct("language")).sort()).toEqual([null, "py", "ts"].sort());
    expect((await shelf.distinct("tags")).sort()).toEqual(["a", "b"]);
    expect((await shelf.distinct("size.w")).sort()).toEqual([1, 2]);
    expect(await shelf.distinct("language", { tags: "b" })).toEqual(["ts"]);
  });

  test("of a field or collection that is not there is empty, and so is a pipeline", async () => {
    const shelf = await given.collection(files);

    expect(await shelf.distinct("nothing")).toEqual([]);
    expect(await given.emptyCollection().distinct("a")).toEqual([]);
    expect(
      await given
        .emptyCollection()
        .aggregate([{ $match: {} }])
        .toArray(),
    ).toEqual([]);
  });

  test("wants a field name", async () => {
    const shelf = await given.collection(files);

    await failureOf(given.db.command({ distinct: shelf.collectionName, key: 5 }));
  });
});

describe("a count by the hint of an index that leaves documents out", () => {
  test.each<[string, object, number]>([
    ["a partial one", { partialFilterExpression: { a: { $gt: 1 } } }, 1],
    ["a complete one", {}, 4],
  ])("counts what it holds: %s", async (_what, options, n) => {
    const shelf = await given.collection([{ a: 1 }, { a: 2 }, { a: null }, { b: 1 }]);
    await shelf.createIndex({ a: 1 }, { name: "hinted", ...options });

    expect(await shelf.countDocuments({ _id: { $exists: true } }, { hint: "hinted" })).toBe(n);
    expect(await shelf.countDocuments({}, { hint: "hinted" })).toBe(n);
    expect(await shelf.countDocuments()).toBe(4);
  });
});
