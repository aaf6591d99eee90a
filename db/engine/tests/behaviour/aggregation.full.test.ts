import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { needsVersion } from "#tests/support/databases/server-needs.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const files = [
  { _id: 1, owner: "ada", language: "ts", lines: 10, tags: ["x", "y"], at: new Date("2024-03-10T23:30:00Z") },
  { _id: 2, owner: "ada", language: "py", lines: 30, tags: ["y"], at: new Date("2024-03-11T00:30:00Z") },
  { _id: 3, owner: "bob", language: "ts", lines: 50, tags: [], at: new Date("2024-03-11T12:00:00Z") },
  { _id: 4, owner: "bob", language: "ts", lines: 70, at: new Date("2024-04-01T00:00:00Z") },
];

async function aggregated(pipeline: Document[], documents: Document[] = files): Promise<Document[]> {
  const shelf = await given.collection(documents);
  return shelf.aggregate(pipeline).toArray();
}

describe("$group", () => {
  test("collects by key", async () => {
    const groups = await aggregated([
      {
        $group: {
          _id: "$owner",
          files: { $sum: 1 },
          counted: { $count: {} },
          lines: { $sum: "$lines" },
          mean: { $avg: "$lines" },
          least: { $min: "$lines" },
          most: { $max: "$lines" },
          languages: { $addToSet: "$language" },
          ids: { $push: "$_id" },
        },
      },
      { $set: { languages: { $size: "$languages" } } },
      { $sort: { _id: 1 } },
    ]);

    expect(groups).toEqual([
      {
        _id: "ada",
        files: 2,
        counted: 2,
        lines: 40,
        mean: 20,
        least: 10,
        most: 30,
        languages: 2,
        ids: [1, 2],
      },
      {
        _id: "bob",
        files: 2,
        counted: 2,
        lines: 120,
        mean: 60,
        least: 50,
        most: 70,
        languages: 1,
        ids: [3, 4],
      },
    ]);
  });

  test("takes the first and last of sorted documents", async () => {
    const groups = await aggregated([
      { $sort: { lines: -1 } },
      { $group: { _id: "$owner", first: { $first: "$lines" }, last: { $last: "$lines" } } },
      { $sort: { _id: 1 } },
    ]);

    expect(groups).toEqual([
      { _id: "ada", first: 30, last: 10 },
      { _id: "bob", first: 70, last: 50 },
    ]);
  });

  test("takes several fields as a key and everything with null", async () => {
    expect(
      await aggregated([{ $group: { _id: { o: "$owner", l: "$language" }, n: { $sum: 1 } } }]),
    ).toHaveLength(3);
    expect(await aggregated([{ $group: { _id: null, n: { $sum: 1 } } }])).toEqual([{ _id: null, n: 4 }]);
  });

  test("puts missing and null into one group, and 1 and 1.0", async () => {
    const groups = await aggregated(
      [{ $group: { _id: "$k", n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [{ k: null }, {}, { k: 1 }, { k: 1.0 }],
    );

    expect(groups).toEqual([
      { _id: null, n: 2 },
      { _id: 1, n: 2 },
    ]);
  });

  describe("by $dateTrunc", () => {
    needsVersion("5.0");

    test("takes the day of a date as a key", async () => {
      const days = await aggregated([
        { $group: { _id: { $dateTrunc: { date: "$at", unit: "day" } }, n: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ]);

      expect(days.map(({ n }) => n)).toEqual([1, 2, 1]);
    });
  });

  test("refuses a field that no accumulator computes", async () => {
    const error = await failureOf(aggregated([{ $group: { _id: null, n: "$lines" } }]));

    expect(error.code).toBe(40234);
  });
});

describe("stages", () => {
  test("$match, $sort, $skip and $limit narrow in the order given", async () => {
    const found = await aggregated([
      { $match: { lines: { $gte: 30 } } },
      { $sort: { lines: -1 } },
      { $skip: 1 },
      { $limit: 1 },
    ]);

    expect(found.map(({ _id }) => _id)).toEqual([3]);
  });

  test("$project and $addFields shape documents", async () => {
    const found = await aggregated([
      { $match: { _id: 1 } },
      { $addFields: { "size.lines": "$lines", long: { $gt: ["$lines", 5] } } },
      { $project: { _id: 0, size: 1, long: 1, who: { $concat: ["$owner", "!"] } } },
    ]);

    expect(found).toEqual([{ size: { lines: 10 }, long: true, who: "ada!" }]);
  });

  test("$unwind gives one document for each element", async () => {
    const plain = await aggregated([{ $unwind: "$tags" }, { $sort: { _id: 1, tags: 1 } }]);
    const kept = await aggregated([
      { $unwind: { path: "$tags", preserveNullAndEmptyArrays: true, includeArrayIndex: "at" } },
      { $sort: { _id: 1, at: 1 } },
      { $project: { tags: 1, at: 1 } },
    ]);

    expect(plain.map(({ _id, tags }) => [_id, tags])).toEqual([
      [1, "x"],
      [1, "y"],
      [2, "y"],
    ]);
    expect(kept.map(({ _id, tags, at }) => [_id, tags, at])).toEqual([
      [1, "x", 0],
      [1, "y", 1],
      [2, "y", 0],
      [3, undefined, null],
      [4, undefined, null],
    ]);
  });

  test("$count counts, and says nothing about nothing", async () => {
    expect(await aggregated([{ $match: { owner: "ada" } }, { $count: "n" }])).toEqual([{ n: 2 }]);
    expect(await aggregated([{ $match: { owner: "eve" } }, { $count: "n" }])).toEqual([]);
  });

  test("$facet runs several pipelines over the same documents", async () => {
    const [result] = await aggregated([
      {
        $facet: {
          total: [{ $count: "n" }],
          longest: [{ $sort: { lines: -1 } }, { $limit: 1 }, { $project: { lines: 1 } }],
          none: [{ $match: { lines: 0 } }],
        },
      },
    ]);

    expect(result).toEqual({ total: [{ n: 4 }], longest: [{ _id: 4, lines: 70 }], none: [] });
  });

  test("$bucket sorts values into half-open ranges", async () => {
    const buckets = await aggregated([
      {
        $bucket: {
          groupBy: "$lines",
          boundaries: [0, 30, 60],
          default: "more",
          output: { n: { $sum: 1 }, ids: { $push: "$_id" } },
        },
      },
    ]);

    expect(buckets).toEqual([
      { _id: 0, n: 1, ids: [1] },
      { _id: 30, n: 2, ids: [2, 3] },
      { _id: "more", n: 1, ids: [4] },
    ]);
  });

  test("$bucket without a default refuses a value outside", async () => {
    await expect(aggregated([{ $bucket: { groupBy: "$lines", boundaries: [0, 30] } }])).rejects.toThrow();
  });

  test("$lookup joins by equality, elements of arrays included", async () => {
    const owners = await given.collection([
      { _id: "ada", name: "Ada" },
      { _id: "bob", name: "Bob" },
    ] as Document[]);
    const lookup = { from: owners.collectionName, localField: "by", foreignField: "_id", as: "who" };

    const joined = await aggregated(
      [{ $lookup: lookup }, { $sort: { _id: 1 } }, { $project: { who: "$who.name" } }],
      [{ _id: 1, by: "ada" }, { _id: 2, by: ["ada", "bob"] }, { _id: 3, by: "eve" }, { _id: 4 }],
    );

    expect(joined).toEqual([
      { _id: 1, who: ["Ada"] },
      { _id: 2, who: ["Ada", "Bob"] },
      { _id: 3, who: [] },
      { _id: 4, who: [] },
    ]);
  });

  test("$replaceRoot and $sortByCount", async () => {
    expect(
      await aggregated([{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { only: "$lines" } } }]),
    ).toEqual([{ only: 10 }]);
    expect(await aggregated([{ $sortByCount: "$language" }])).toEqual([
      { _id: "ts", count: 3 },
      { _id: "py", count: 1 },
    ]);
  });
});

describe("a pipeline", () => {
  test("over a collection that does not exist is empty", async () => {
    expect(
      await given
        .emptyCollection()
        .aggregate([{ $match: {} }])
        .toArray(),
    ).toEqual([]);
  });

  test.each<[string, Document[], number]>([
    ["a stage that does not exist", [{ $frobnicate: {} }], 40324],
    ["a stage with two names", [{ $match: {}, $sort: { a: 1 } }], 40323],
    ["an expression that does not exist", [{ $project: { a: { $frobnicate: 1 } } }], 31325],
    ["a negative limit", [{ $limit: -1 }], 5107201],
  ])("refuses %s", async (_what, pipeline, code) => {
    const error = await failureOf(aggregated(pipeline));

    expect(error.code).toBe(code);
  });
});
