import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { givenStore } from "./given.ts";

const given = await givenStore();

const file = {
  _id: 1,
  owner: "ada",
  lines: 10,
  tags: ["x", "y"],
  at: new Date("2024-03-10T23:30:00Z"),
};

/** What an expression makes of the file. */
async function computed(expression: unknown): Promise<unknown> {
  const shelf = await given.collection<Document>([file]);
  const [found] = await shelf.aggregate([{ $project: { value: expression } }]).toArray();
  return found?.value;
}

describe("expressions", () => {
  test.each<[string, unknown, unknown]>([
    ["$ifNull takes the first that is there", { $ifNull: ["$missing", null, "x"] }, "x"],
    ["$cond decides", { $cond: [{ $gt: ["$lines", 5] }, "long", "short"] }, "long"],
    [
      "$map works on each element",
      { $map: { input: "$tags", as: "t", in: { $substrCP: ["$$t", 0, 1] } } },
      ["x", "y"],
    ],
    ["$filter keeps some", { $filter: { input: "$tags", cond: { $eq: ["$$this", "y"] } } }, ["y"]],
    ["$size counts elements", { $size: "$tags" }, 2],
    ["$in looks into an array", { $in: ["y", "$tags"] }, true],
    ["$divide and $floor", { $floor: { $divide: ["$lines", 3] } }, 3],
    ["$toLong of a date is milliseconds", { $toLong: "$at" }, 1710113400000],
    ["$literal keeps a dollar", { $literal: "$lines" }, "$lines"],
  ])("%s", async (_claim, expression, expected) => {
    expect(await computed(expression)).toEqual(expected);
  });

  test("$expr compares fields in a filter", async () => {
    const shelf = await given.collection([
      { _id: 1, a: 1, b: 2 },
      { _id: 2, a: 3, b: 2 },
    ]);

    const found = await shelf.find({ $expr: { $gt: ["$a", "$b"] } }).toArray();

    expect(found.map(({ _id }) => _id)).toEqual([2]);
  });
});
