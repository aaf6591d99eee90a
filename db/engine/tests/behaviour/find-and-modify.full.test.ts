import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

interface Job {
  _id: number;
  state: string;
  priority?: number;
  owner?: string;
}

const jobs: Job[] = [
  { _id: 1, state: "open", priority: 2 },
  { _id: 2, state: "open", priority: 9 },
  { _id: 3, state: "done", priority: 5 },
];

describe("find and modify", () => {
  test("returns the document before the update unless asked for the one after", async () => {
    const shelf = await given.collection(jobs);

    const before = await shelf.findOneAndUpdate({ _id: 1 }, { $set: { state: "held" } });
    const after = await shelf.findOneAndUpdate(
      { _id: 1 },
      { $set: { state: "done" } },
      { returnDocument: "after" },
    );

    expect(before).toEqual({ _id: 1, state: "open", priority: 2 });
    expect(after).toEqual({ _id: 1, state: "done", priority: 2 });
  });

  test("returns the fields that are asked for", async () => {
    const shelf = await given.collection(jobs);

    const document = await shelf.findOneAndUpdate(
      { _id: 1 },
      { $inc: { priority: 1 } },
      { projection: { priority: 1, _id: 0 }, returnDocument: "after" },
    );

    expect(document).toEqual({ priority: 3 });
  });

  test("returns null and says so when nothing matches", async () => {
    const shelf = await given.collection(jobs);

    const document = await shelf.findOneAndUpdate({ _id: 9 }, { $set: { state: "x" } });
    const answer = await shelf.findOneAndUpdate(
      { _id: 9 },
      { $set: { state: "x" } },
      { includeResultMetadata: true },
    );

    expect(document).toBeNull();
    expect(answer).toMatchObject({ value: null, lastErrorObject: { n: 0, updatedExisting: false }, ok: 1 });
  });

  test("upserts: null before, the new document after, and its _id in the result", async () => {
    const shelf = await given.collection(jobs);

    const before = await shelf.findOneAndUpdate({ _id: 8 }, { $set: { state: "new" } }, { upsert: true });
    const after = await shelf.findOneAndUpdate(
      { _id: 9 },
      { $set: { state: "new" } },
      { upsert: true, returnDocument: "after" },
    );
    const answer = await shelf.findOneAndUpdate(
      { _id: 10 },
      { $set: { state: "new" } },
      { upsert: true, includeResultMetadata: true },
    );

    expect(before).toBeNull();
    expect(after).toEqual({ _id: 9, state: "new" });
    expect(answer?.lastErrorObject).toEqual({ n: 1, updatedExisting: false, upserted: 10 });
    expect(await shelf.countDocuments({ state: "new" })).toBe(3);
  });

  test("removes one document and returns it", async () => {
    const shelf = await given.collection(jobs);

    const removed = await shelf.findOneAndDelete({ _id: 1 });
    const missed = await shelf.findOneAndDelete({ state: "lost" });

    expect(removed).toEqual(jobs[0]);
    expect(missed).toBeNull();
    expect(await shelf.countDocuments()).toBe(2);
  });

  test("refuses to remove and update at once, or neither", async () => {
    const shelf = await given.collection(jobs);
    const findAndModify = shelf.collectionName;

    const both = await failureOf(
      given.db.command({ findAndModify, query: {}, remove: true, update: { $set: { a: 1 } } }),
    );
    const neither = await failureOf(given.db.command({ findAndModify, query: {} }));
    const newOfRemoved = await failureOf(
      given.db.command({ findAndModify, query: {}, remove: true, new: true }),
    );

    expect([both.code, neither.code, newOfRemoved.code]).toEqual([9, 9, 9]);
    expect(await shelf.countDocuments()).toBe(3);
  });

  test("reports a duplicate key as an error of the command", async () => {
    const shelf = await given.collection(jobs);
    await shelf.createIndex({ priority: 1 }, { unique: true });

    const error = await failureOf(shelf.findOneAndUpdate({ _id: 1 }, { $set: { priority: 9 } }));

    expect(error).toMatchObject({ code: 11000, keyPattern: { priority: 1 }, keyValue: { priority: 9 } });
    expect((await shelf.findOne({ _id: 1 }))?.priority).toBe(2);
  });
});
