import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

/** The document that an update makes of another. */
async function updated(
  document: Document,
  update: Document | Document[],
  filter: Document = {},
): Promise<Document> {
  const shelf = await given.collection([{ _id: 1, ...document }]);
  await shelf.updateOne(filter, update);
  const { _id, ...rest } = (await shelf.findOne()) ?? {};
  expect(_id).toBe(1);
  return rest;
}

describe("update operators", () => {
  test.each<[string, Document, Document, Document]>([
    [
      "$set sets nested fields and makes what is missing",
      { a: { b: 1 } },
      { $set: { "a.c": 2, "x.y": 3 } },
      { a: { b: 1, c: 2 }, x: { y: 3 } },
    ],
    [
      "$set reaches array elements by position",
      { a: [1, 2] },
      { $set: { "a.1": 9, "a.3": 7 } },
      { a: [1, 9, null, 7] },
    ],
    [
      "$unset removes fields and nulls array elements",
      { a: 1, b: [1, 2] },
      { $unset: { a: "", "b.0": "" } },
      { b: [null, 2] },
    ],
    ["$inc starts from nothing", {}, { $inc: { a: 2 } }, { a: 2 }],
    [
      "$min and $max keep the smaller and the larger",
      { a: 5, b: 5 },
      { $min: { a: 3 }, $max: { b: 3 } },
      { a: 3, b: 5 },
    ],
    ["$push appends", { a: [1] }, { $push: { a: 2, b: 1 } }, { a: [1, 2], b: [1] }],
    [
      "$push adds several and cuts",
      { a: [3, 1] },
      { $push: { a: { $each: [2, 5], $slice: -3 } } },
      { a: [1, 2, 5] },
    ],
    [
      "$addToSet adds what is not there",
      { a: [1, { b: 1 }] },
      { $addToSet: { a: { $each: [1, { b: 1 }, 2, 2] } } },
      { a: [1, { b: 1 }, 2] },
    ],
    [
      "$pull removes what matches",
      { a: [1, 5, 9], b: [{ n: 1 }, { n: 2 }] },
      { $pull: { a: { $gt: 3 }, b: { n: 1 } } },
      { a: [1], b: [{ n: 2 }] },
    ],
  ])("%s", async (_claim, document, update, expected) => {
    expect(await updated(document, update)).toEqual(expected);
  });

  test.each<[string, Document, Document, number]>([
    ["adding to a string", { a: "x" }, { $inc: { a: 1 } }, 14],
    ["pushing to what is no array", { a: 1 }, { $push: { a: 1 } }, 2],
    ["a path through a scalar", { a: 1 }, { $set: { "a.b": 1 } }, 28],
    ["two operators on one path", {}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ["two operators on a path and its parent", {}, { $set: { a: {} }, $inc: { "a.b": 1 } }, 40],
    ["an operator that does not exist", {}, { $frobnicate: { a: 1 } }, 9],
  ])("refuses %s and changes nothing", async (_what, document, update, code) => {
    const shelf = await given.collection([{ _id: 1, ...document }]);

    const error = await failureOf(shelf.updateOne({}, update));

    expect(error.code).toBe(code);
    expect(await shelf.findOne()).toEqual({ _id: 1, ...document });
  });
});

describe("updates inside arrays", () => {
  test("$ changes the element that the filter matched", async () => {
    expect(await updated({ a: [1, 5, 5] }, { $set: { "a.$": 9 } }, { a: 5 })).toEqual({ a: [1, 9, 5] });
    expect(
      await updated(
        {
          a: [
            { k: "x", n: 1 },
            { k: "y", n: 2 },
          ],
        },
        { $inc: { "a.$.n": 10 } },
        { a: { $elemMatch: { k: "y" } } },
      ),
    ).toEqual({
      a: [
        { k: "x", n: 1 },
        { k: "y", n: 12 },
      ],
    });
  });

  test("$ without a matched element is refused", async () => {
    const shelf = await given.collection([{ _id: 1, a: [1] }]);

    const error = await failureOf(shelf.updateOne({ _id: 1 }, { $set: { "a.$": 9 } }));

    expect(error.code).toBe(2);
  });
});

describe("an update by pipeline", () => {
  test("computes new values from old ones", async () => {
    const result = await updated({ a: 2, b: 3 }, [
      { $set: { sum: { $add: ["$a", "$b"] } } },
      { $set: { twice: { $add: ["$sum", "$sum"] } } },
    ]);

    expect(result).toEqual({ a: 2, b: 3, sum: 5, twice: 10 });
  });

  test("decides by the old value", async () => {
    const update = [{ $set: { state: { $cond: [{ $gt: ["$n", 2] }, "full", "open"] } } }];

    expect(await updated({ n: 3 }, update)).toEqual({ n: 3, state: "full" });
    expect(await updated({ n: 2 }, update)).toEqual({ n: 2, state: "open" });
  });

  test("takes a string starting with $ as a field unless it is a literal", async () => {
    const update = [{ $set: { field: "$n", text: { $literal: "$n" } } }];

    expect(await updated({ n: 7 }, update)).toEqual({ n: 7, field: 7, text: "$n" });
  });

  test("refuses a stage that only reads", async () => {
    const shelf = await given.collection([{ _id: 1 }]);

    await expect(shelf.updateOne({}, [{ $match: {} }])).rejects.toMatchObject({ code: 72 });
  });
});

describe("what an update answers", () => {
  test("counts nothing of a statement that failed", async () => {
    const shelf = await given.collection<Document>([{ n: 1 }, { n: "text" }]);
    const updates = ["text", 1, "text"].map((n) => ({ q: { n }, u: { $inc: { n: 1 } } }));

    const reply = await given.db.command({ update: shelf.collectionName, updates, ordered: false });

    expect(reply).toMatchObject({ n: 1, nModified: 1, writeErrors: [{ index: 0 }, { index: 2 }] });
  });

  test("counts nothing of a statement on many that failed on one of them", async () => {
    const shelf = await given.collection<Document>([{ n: 1 }, { n: "text" }]);

    const reply = await given.db.command({
      update: shelf.collectionName,
      updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }],
    });

    expect(reply).toMatchObject({ n: 0, nModified: 0, writeErrors: [{ index: 0, code: 14 }] });
  });

  test.each<[string, Document]>([
    ["without its _id", { a: 1, b: [1, { c: new Date(0) }] }],
    ["with its _id", { _id: 1, a: 1, b: [1, { c: new Date(0) }] }],
  ])("matches but does not modify where a replacement is what is there, %s", async (_what, replacement) => {
    const shelf = await given.collection<Document>([{ _id: 1 as never, a: 1, b: [1, { c: new Date(0) }] }]);

    expect(await shelf.replaceOne({ a: 1 }, replacement)).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await shelf.replaceOne({ a: 1 }, { a: 2 })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
  });
});
