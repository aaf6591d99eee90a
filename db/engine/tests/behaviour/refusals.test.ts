import { type Document, Long } from "mongodb";
import { describe, expect, test } from "vitest";
import { needsEngine } from "../server.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

/** The engine promises to refuse them rather than to answer wrongly. */
describe("what the engine does not do, it refuses", () => {
  needsEngine("MongoDB itself has these features");

  test.each<[string, (name: string) => Document]>([
    ["collation of a query", (find) => ({ find, collation: { locale: "en" } })],
    [
      "collation of an update",
      (update) => ({ update, updates: [{ q: {}, u: { $set: { a: 1 } }, collation: { locale: "en" } }] }),
    ],
    [
      "collation of a delete",
      (name) => ({ delete: name, deletes: [{ q: {}, limit: 0, collation: { locale: "en" } }] }),
    ],
    [
      "$function",
      (aggregate) => ({
        aggregate,
        pipeline: [{ $project: { a: { $function: { body: "x", args: [], lang: "js" } } } }],
        cursor: {},
      }),
    ],
    ["change streams", (aggregate) => ({ aggregate, pipeline: [{ $changeStream: {} }], cursor: {} })],
    ["a text index", (createIndexes) => ({ createIndexes, indexes: [{ key: { a: "text" }, name: "t" }] })],
    [
      "an index with collation",
      (createIndexes) => ({
        createIndexes,
        indexes: [{ key: { a: 1 }, name: "t", collation: { locale: "en" } }],
      }),
    ],
    [
      "a sparse index",
      (createIndexes) => ({ createIndexes, indexes: [{ key: { a: 1 }, name: "t", sparse: true }] }),
    ],
    [
      "an index on a position in an array",
      (createIndexes) => ({ createIndexes, indexes: [{ key: { "a.0": 1 }, name: "t" }] }),
    ],
    ["a wildcard index", (createIndexes) => ({ createIndexes, indexes: [{ key: { "$**": 1 }, name: "t" }] })],
    ["tailable cursors", (find) => ({ find, tailable: true })],
  ])("%s", async (_what, command) => {
    const shelf = await given.collection([{ _id: 1, a: 0 }]);

    const reply = await given.db.command(command(shelf.collectionName)).catch((error: Document) => error);

    expect(reply.writeErrors?.[0]?.code ?? reply.code).toEqual(expect.any(Number));
    expect(await shelf.find().toArray()).toEqual([{ _id: 1, a: 0 }]);
  });

  test.each([
    "collMod",
    "collStats",
    "create",
    "dbStats",
    "drop",
    "getParameter",
    "mapReduce",
    "renameCollection",
    "replSetGetStatus",
    "usersInfo",
  ])("the command %s, with 59", async (command) => {
    const error = await failureOf(given.db.command({ [command]: "shelf" }));

    expect(error).toMatchObject({ code: 59, codeName: "CommandNotFound" });
    expect(error.message).toContain(command);
  });

  test.each<[string, (name: string) => Document, number]>([
    ["$lookup", (aggregate) => ({ aggregate, pipeline: [{ $lookup: {} }], cursor: {} }), 40324],
    ["$out", (aggregate) => ({ aggregate, pipeline: [{ $out: "x" }], cursor: {} }), 40324],
    ["$skip", (aggregate) => ({ aggregate, pipeline: [{ $skip: 1 }], cursor: {} }), 40324],
    [
      "$avg",
      (aggregate) => ({ aggregate, pipeline: [{ $group: { _id: 1, a: { $avg: 1 } } }], cursor: {} }),
      15952,
    ],
    ["$dateTrunc", (find) => ({ find, filter: { $expr: { $dateTrunc: {} } } }), 168],
    ["$type", (find) => ({ find, filter: { a: { $type: "int" } } }), 2],
    ["$comment", (find) => ({ find, filter: { $comment: "x" } }), 2],
  ])("%s, by its name", async (name, command, code) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await failureOf(given.db.command(command(shelf.collectionName)));

    expect(error).toMatchObject({ code });
    expect(error.message).toContain(name);
  });

  test.each<[string, (name: string) => Document]>([
    ["find.skip", (find) => ({ find, skip: 1 })],
    ["find.let", (find) => ({ find, let: { a: 1 } })],
    ["find.comment", (find) => ({ find, comment: "x" })],
    ["count.query", (count) => ({ count, query: { a: 1 } })],
    ["findAndModify.sort", (findAndModify) => ({ findAndModify, remove: true, sort: { a: 1 } })],
  ])("the option %s, with 40415", async (option, command) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await failureOf(given.db.command(command(shelf.collectionName)));

    expect(error).toMatchObject({ code: 40415 });
    expect(error.message).toContain(option);
  });

  test("a sort by an array, with 238", async () => {
    const shelf = await given.collection([{ tags: ["a"] }, { tags: "b" }]);

    const error = await failureOf(shelf.find().sort({ tags: 1 }).toArray());

    expect(error).toMatchObject({ code: 238, codeName: "NotImplemented" });
    expect(error.message).toContain("tags");
  });

  test("transactions, with 20", async () => {
    const shelf = await given.collection([{ _id: 1 }]);
    const transaction = { txnNumber: Long.ONE, startTransaction: true, autocommit: false };

    const error = await failureOf(
      given.db.command({ insert: shelf.collectionName, documents: [{ _id: 2 }], ...transaction }),
    );

    expect(error).toMatchObject({ code: 20, codeName: "IllegalOperation" });
    expect(await shelf.countDocuments()).toBe(1);
  });
});
