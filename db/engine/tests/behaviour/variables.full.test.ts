import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { needsVersion } from "#tests/support/databases/server-needs.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

type File = Document & { _id: number };

const files: File[] = [
  { _id: 1, owner: "ada", lines: 10 },
  { _id: 2, owner: "ada", lines: 30 },
  { _id: 3, owner: "bob", lines: 50 },
];

describe("the variables of a command", () => {
  needsVersion("5.0");

  test.each<[string, Document[], Document[]]>([
    [
      "$match",
      [{ $match: { $expr: { $gt: ["$lines", "$$least"] } } }, { $project: { _id: 1 } }],
      [{ _id: 2 }, { _id: 3 }],
    ],
    [
      "a $match further down",
      [{ $skip: 1 }, { $match: { $expr: { $eq: ["$owner", "$$who.name"] } } }, { $project: { _id: 1 } }],
      [{ _id: 2 }],
    ],
    [
      "$project",
      [{ $limit: 1 }, { $project: { more: { $add: ["$lines", "$$least"] } } }],
      [{ _id: 1, more: 30 }],
    ],
    ["$set", [{ $limit: 1 }, { $set: { lines: "$$least" } }, { $unset: "owner" }], [{ _id: 1, lines: 20 }]],
    ["$replaceWith", [{ $limit: 1 }, { $replaceWith: "$$who" }], [{ name: "ada" }]],
    [
      "$group, in its key and its sums",
      [{ $group: { _id: { $eq: ["$owner", "$$who.name"] }, n: { $sum: "$$least" } } }, { $sort: { _id: 1 } }],
      [
        { _id: false, n: 20 },
        { _id: true, n: 40 },
      ],
    ],
    [
      "$bucket",
      [
        {
          $bucket: {
            groupBy: { $subtract: ["$lines", "$$least"] },
            boundaries: [-50, 0, 50],
            output: { n: { $sum: "$$least" } },
          },
        },
      ],
      [
        { _id: -50, n: 20 },
        { _id: 0, n: 40 },
      ],
    ],
    [
      "$facet",
      [{ $facet: { few: [{ $match: { $expr: { $lt: ["$lines", "$$least"] } } }, { $count: "n" }] } }],
      [{ few: [{ n: 1 }] }],
    ],
  ])("are seen by %s", async (_stage, pipeline, expected) => {
    const shelf = await given.collection(files);

    const found = await shelf
      .aggregate([{ $sort: { _id: 1 } }, ...pipeline], { let: { least: 20, who: { name: "ada" } } })
      .toArray();

    expect(found).toEqual(expected);
  });

  test("are expressions, computed before any document is seen", async () => {
    const shelf = await given.collection(files);

    const [found] = await shelf
      .aggregate([{ $limit: 1 }, { $project: { _id: 0, v: "$$v" } }], { let: { v: { $add: [1, 2] } } })
      .toArray();
    const error = await failureOf(
      shelf.aggregate([{ $project: { v: "$$v" } }], { let: { v: "$lines" } }).toArray(),
    );

    expect(found).toEqual({ v: 3 });
    expect(error.code).toBe(4890500);
  });

  test("are seen by the projection of a find", async () => {
    const shelf = await given.collection(files);

    const found = await shelf
      .find({ _id: 1 }, { projection: { more: { $add: ["$lines", "$$v"] } }, let: { v: 5 } })
      .toArray();

    expect(found).toEqual([{ _id: 1, more: 15 }]);
  });

  test("are seen by an update written as a pipeline, of one document and of many", async () => {
    const shelf = await given.collection(files);

    await shelf.updateOne({ _id: 1 }, [{ $set: { lines: "$$v" } }], { let: { v: 1 } });
    await shelf.updateMany({ $expr: { $gt: ["$lines", "$$v"] } }, [{ $set: { over: "$$v" } }], {
      let: { v: 30 },
    });

    expect(await shelf.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 1, owner: "ada", lines: 1 },
      { _id: 2, owner: "ada", lines: 30 },
      { _id: 3, owner: "bob", lines: 50, over: 30 },
    ]);
  });

  test("are seen by findAndModify, in its query, its update and its projection", async () => {
    const shelf = await given.collection(files);

    const found = await shelf.findOneAndUpdate(
      { $expr: { $eq: ["$owner", "$$who"] } },
      [{ $set: { note: { $concat: ["by ", "$$who"] } } }],
      { let: { who: "bob" }, returnDocument: "after", projection: { note: 1, who: "$$who" } },
    );

    expect(found).toEqual({ _id: 3, note: "by bob", who: "bob" });
  });

  test("are unknown where the command does not name them", async () => {
    const shelf = await given.collection(files);

    const stage = await failureOf(
      shelf.aggregate([{ $project: { v: "$$other" } }], { let: { v: 1 } }).toArray(),
    );
    const update = await failureOf(shelf.updateOne({}, [{ $set: { v: "$$other" } }], { let: { v: 1 } }));

    expect([stage.code, update.code]).toEqual([17276, 17276]);
  });

  test("may not be named like a variable of the system", async () => {
    const shelf = await given.collection(files);

    const error = await failureOf(shelf.find({}, { let: { Now: 1 } }).toArray());

    expect(error.code).toBe(9);
  });
});
