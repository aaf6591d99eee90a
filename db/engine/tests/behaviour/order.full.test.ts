import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

describe("the order of results", () => {
  test.each([
    [1, [3, 1, 2]],
    [-1, [2, 1, 3]],
  ])("may be that of the collection itself, $natural: %i", async (direction, expected) => {
    const shelf = await given.collection([{ _id: 3 }, { _id: 1 }, { _id: 2 }]);

    const found = await shelf.find({}, { sort: { $natural: direction as 1 | -1 } }).toArray();

    expect(found.map(({ _id }) => _id)).toEqual(expected);
  });

  test("of the collection itself goes with no other", async () => {
    const shelf = await given.collection([{ _id: 1 }]);
    const find = shelf.collectionName;

    const both = await failureOf(given.db.command({ find, sort: { $natural: 1, a: 1 } }));
    const wrong = await failureOf(given.db.command({ find, sort: { $natural: 3 } }));

    expect([both.code, wrong.code]).toEqual([2, 2]);
  });

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
