import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

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
});

describe("stages", () => {
  test("$match, $sort and $limit narrow in the order given", async () => {
    const documents = await aggregated([
      { $match: { lines: { $gte: 30 } } },
      { $sort: { lines: -1 } },
      { $limit: 2 },
    ]);

    expect(documents.map(({ _id }) => _id)).toEqual([4, 3]);
  });

  test("$project and $set shape documents", async () => {
    const documents = await aggregated([
      { $match: { _id: 1 } },
      { $set: { "size.lines": "$lines", long: { $gt: ["$lines", 5] } } },
      { $project: { _id: 0, size: 1, long: 1, who: { $substrCP: ["$owner", 0, 2] } } },
    ]);

    expect(documents).toEqual([{ size: { lines: 10 }, long: true, who: "ad" }]);
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
});
