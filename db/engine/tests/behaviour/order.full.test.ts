import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

describe("the order of results", () => {
  test("cannot follow two arrays of a document, even of a single one", async () => {
    const shelf = await given.collection([{ a: [1, 2], b: [3, 4] }]);

    const error = await failureOf(shelf.find({}, { sort: { a: 1, b: 1 } }).toArray());

    expect(error.code).toBe(2);
  });

  test("may follow two paths through the same array", async () => {
    const shelf = await given.collection([
      { _id: 1, list: [{ a: 2, b: 1 }] },
      { _id: 2, list: [{ a: 1, b: 2 }] },
    ]);

    const found = await shelf.find({}, { sort: { "list.a": 1, "list.b": 1 } }).toArray();

    expect(found.map(({ _id }) => _id)).toEqual([2, 1]);
  });
});
