import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { needsVersion } from "#tests/support/databases/server-needs.ts";
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

describe("$dateTrunc", () => {
  needsVersion("5.0");

  test.each([
    ["hour", {}, "2024-03-10T23:00:00Z"],
    ["day", {}, "2024-03-10T00:00:00Z"],
    ["week", {}, "2024-03-10T00:00:00Z"],
    ["week", { startOfWeek: "monday" }, "2024-03-04T00:00:00Z"],
    ["month", {}, "2024-03-01T00:00:00Z"],
    ["quarter", {}, "2024-01-01T00:00:00Z"],
    ["year", {}, "2024-01-01T00:00:00Z"],
    ["minute", { binSize: 15 }, "2024-03-10T23:30:00Z"],
    ["day", { timezone: "Europe/Berlin" }, "2024-03-10T23:00:00Z"],
    ["day", { timezone: "America/New_York" }, "2024-03-10T05:00:00Z"],
  ])("cuts to the %s, %o", async (unit, options, expected) => {
    const cut = await computed({ $dateTrunc: { date: "$at", unit, ...options } });

    expect(cut).toEqual(new Date(expected));
  });
});

describe("expressions", () => {
  const branch = (condition: boolean, value: number) =>
    new Map<string, unknown>([
      ["case", condition],
      ["then", value],
    ]);

  test.each<[string, unknown, unknown]>([
    ["$ifNull takes the first that is there", { $ifNull: ["$missing", null, "x"] }, "x"],
    ["$cond decides", { $cond: [{ $gt: ["$lines", 5] }, "long", "short"] }, "long"],
    [
      "$switch decides among many",
      {
        $switch: {
          branches: [branch(false, 1), branch(true, 2)],
          default: 3,
        },
      },
      2,
    ],
    [
      "$map works on each element",
      { $map: { input: "$tags", as: "t", in: { $concat: ["$$t", "!"] } } },
      ["x!", "y!"],
    ],
    ["$filter keeps some", { $filter: { input: "$tags", cond: { $eq: ["$$this", "y"] } } }, ["y"]],
    ["$size counts elements", { $size: "$tags" }, 2],
    ["$in looks into an array", { $in: ["y", "$tags"] }, true],
    [
      "$dateToString writes a date",
      { $dateToString: { date: "$at", format: "%Y-%m-%d %H:%M" } },
      "2024-03-10 23:30",
    ],
    [
      "$subtract of dates is milliseconds",
      { $toInt: { $subtract: ["$at", new Date("2024-03-10T23:29:59Z")] } },
      1000,
    ],
    ["$divide and $round", { $round: [{ $divide: ["$lines", 3] }, 2] }, 3.33],
    ["$literal keeps a dollar", { $literal: "$lines" }, "$lines"],
  ])("%s", async (_claim, expression, expected) => {
    expect(await computed(expression)).toEqual(expected);
  });

  test("variables of a command are computed once and known to its filter", async () => {
    const shelf = await given.collection([
      { _id: 1, a: "$x", n: 1 },
      { _id: 2, a: "y", n: 3 },
    ]);
    const find = (variable: unknown, field: string) =>
      shelf.find({ $expr: { $eq: [field, "$$v"] } }, { let: { v: variable } }).toArray();

    expect(await find({ $literal: "$x" }, "$a")).toMatchObject([{ _id: 1 }]);
    expect(await find({ $add: [1, 2] }, "$n")).toMatchObject([{ _id: 2 }]);
    await expect(find("$n", "$n")).rejects.toMatchObject({ code: 4890500 });
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
