import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

const given = await givenStore();

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
