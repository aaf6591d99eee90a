import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

const given = await givenStore();

describe("an upsert", () => {
  test("inserts when nothing matches: equalities of the filter, then the update", async () => {
    const shelf = given.emptyCollection();

    const result = await shelf.updateOne(
      { _id: "f" as never, owner: "ada", "size.w": 3, n: { $gt: 5 } },
      { $set: { title: "t" }, $inc: { n: 1 }, $setOnInsert: { made: true } },
      { upsert: true },
    );

    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: "f" });
    expect(await shelf.findOne()).toEqual({
      _id: "f",
      owner: "ada",
      size: { w: 3 },
      title: "t",
      n: 1,
      made: true,
    });
  });

  test("updates when something matches and leaves $setOnInsert aside", async () => {
    const shelf = await given.collection([{ _id: 1, n: 1 }]);

    const result = await shelf.updateOne(
      { _id: 1 },
      { $inc: { n: 1 }, $setOnInsert: { made: true } },
      { upsert: true },
    );

    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null });
    expect(await shelf.find().toArray()).toEqual([{ _id: 1, n: 2 }]);
  });

  test("makes an _id when the filter gives none", async () => {
    const shelf = given.emptyCollection();

    const { upsertedId } = await shelf.updateOne({ owner: "ada" }, { $set: { n: 1 } }, { upsert: true });

    expect(await shelf.findOne()).toEqual({ _id: upsertedId, owner: "ada", n: 1 });
  });

  test("takes null for an _id where the filter says so", async () => {
    const shelf = given.emptyCollection<{ _id: null; n?: number }>();

    const result = await shelf.updateOne({ _id: null }, { $set: { n: 1 } }, { upsert: true });

    expect(result).toMatchObject({ upsertedCount: 1, upsertedId: null });
    expect(await shelf.find({ _id: null }).toArray()).toEqual([{ _id: null, n: 1 }]);
  });

  test("inserts one document for an update of many", async () => {
    const shelf = given.emptyCollection();

    const result = await shelf.updateMany({ owner: "ada" }, { $set: { n: 1 } }, { upsert: true });

    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expect(await shelf.countDocuments()).toBe(1);
  });

  test("by pipeline starts from the filter", async () => {
    const shelf = given.emptyCollection<{ _id: number; n?: number; twice?: number }>();

    await shelf.updateOne({ _id: 1, n: 4 }, [{ $set: { twice: { $add: ["$n", "$n"] } } }], {
      upsert: true,
    });

    expect(await shelf.findOne()).toEqual({ _id: 1, n: 4, twice: 8 });
  });
});
