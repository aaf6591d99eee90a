import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

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
});

describe("an update by pipeline", () => {
  test("computes new values from old ones", async () => {
    const result = await updated({ a: 2, b: 3 }, [
      { $set: { sum: { $add: ["$a", "$b"] } } },
      { $set: { twice: { $add: ["$sum", "$sum"] } } },
    ]);

    expect(result).toEqual({ a: 2, b: 3, sum: 5, twice: 10 });
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
