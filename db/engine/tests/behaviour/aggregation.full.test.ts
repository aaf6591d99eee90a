import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
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
          lines: { $sum: "$lines" },
          ids: { $push: "$_id" },
        },
      },
      { $sort: { _id: 1 } },
    ]);

    expect(groups).toEqual([
      {
        _id: "ada",
        files: 2,
        lines: 40,
        ids: [1, 2],
      },
      {
        _id: "bob",
        files: 2,
        lines: 120,
        ids: [3, 4],
      },
    ]);
  });

  test("takes the first of sorted documents", async () => {
    const groups = await aggregated([
      { $sort: { lines: -1 } },
      { $group: { _id: "$owner", first: { $first: "$lines" } } },
      { $sort: { _id: 1 } },
    ]);

    expect(groups).toEqual([
      { _id: "ada", first: 30 },
      { _id: "bob", first: 70 },
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

  test("refuses a field that no accumulator computes", async () => {
    const error = await failureOf(aggregated([{ $group: { _id: null, n: "$lines" } }]));

    expect(error.code).toBe(40234);
  });
});

describe("stages", () => {
  test("$match, $sort and $limit narrow in the order given", async () => {
    const found = await aggregated([
      { $match: { lines: { $gte: 30 } } },
      { $sort: { lines: -1 } },
      { $limit: 2 },
    ]);

    expect(found.map(({ _id }) => _id)).toEqual([4, 3]);
  });

  test("$project and $set shape documents", async () => {
    const found = await aggregated([
      { $match: { _id: 1 } },
      { $set: { "size.lines": "$lines", long: { $gt: ["$lines", 5] } } },
      { $project: { _id: 0, size: 1, long: 1, who: { $substrCP: ["$owner", 0, 2] } } },
    ]);

    expect(found).toEqual([{ size: { lines: 10 }, long: true, who: "ad" }]);
  });

  test("$unwind gives one document for each element", async () => {
    const plain = await aggregated([{ $unwind: "$tags" }, { $sort: { _id: 1, tags: 1 } }]);

    expect(plain.map(({ _id, tags }) => [_id, tags])).toEqual([
      [1, "x"],
      [1, "y"],
      [2, "y"],
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
