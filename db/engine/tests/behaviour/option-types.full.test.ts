import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();
const change = { $set: { z: 1 } };

describe("an option of the wrong type", () => {
  test.each<[string, (name: string) => Document, number]>([
    ["limit of a find", (find) => ({ find, limit: "5" }), 14],
    ["batchSize of a find", (find) => ({ find, batchSize: "5" }), 14],
    ["a number as singleBatch", (find) => ({ find, singleBatch: 1 }), 14],
    ["allowDiskUse", (aggregate) => ({ aggregate, pipeline: [], cursor: {}, allowDiskUse: "yes" }), 14],
    ["a number as ordered", (insert) => ({ insert, documents: [{ z: 1 }], ordered: 1 }), 14],
    ["multi", (update) => ({ update, updates: [{ q: {}, u: change, multi: "x" }] }), 14],
    ["a number as multi", (update) => ({ update, updates: [{ q: {}, u: change, multi: 1 }] }), 14],
    ["upsert", (update) => ({ update, updates: [{ q: {}, u: change, upsert: "x" }] }), 14],
    ["the filter of an update", (update) => ({ update, updates: [{ q: 5, u: change }] }), 14],
    ["the filter of a delete", (name) => ({ delete: name, deletes: [{ q: "x", limit: 1 }] }), 14],
    ["limit of a delete", (name) => ({ delete: name, deletes: [{ q: {}, limit: "1" }] }), 9],
    ["new", (findAndModify) => ({ findAndModify, query: {}, update: change, new: "x" }), 14],
    ["remove", (findAndModify) => ({ findAndModify, query: {}, remove: "x" }), 14],
    ["fields", (findAndModify) => ({ findAndModify, query: {}, update: change, fields: 5 }), 14],
    [
      "unique",
      (createIndexes) => ({ createIndexes, indexes: [{ key: { z: 1 }, name: "z", unique: "x" }] }),
      14,
    ],
  ])("is refused, and nothing is done: %s", async (_what, command, code) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await failureOf(given.db.command(command(shelf.collectionName)));

    expect(error.code).toBe(code);
    expect(await shelf.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ a: 1 }]);
    expect(await shelf.indexes()).toHaveLength(1);
  });

  test("fails the whole batch, not the statement that has it", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    const updates = [
      { q: {}, u: change },
      { q: {}, u: change, multi: "x" },
    ];

    const error = await failureOf(
      given.db.command({ update: shelf.collectionName, updates, ordered: false }),
    );

    expect(error.code).toBe(14);
    expect(await shelf.countDocuments({ z: 1 })).toBe(0);
  });
});

test("a number stands for a boolean as new and upsert of findAndModify", async () => {
  const shelf = await given.collection([{ a: 1 }]);
  const options = { query: { a: 2 }, update: { $set: { a: 2 } }, new: 1, upsert: 1 };

  const { value } = await given.db.command({ findAndModify: shelf.collectionName, ...options });

  expect(value).toMatchObject({ a: 2 });
});
