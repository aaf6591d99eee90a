import type { Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { required } from "#domain/required.ts";
import { givenStore } from "./given.ts";

const given = await givenStore();

/** The _ids of the foreign documents that the local one is joined with. */
async function joined(
  local: Document,
  localField: string,
  foreign: Document[],
  foreignField: string,
): Promise<unknown[]> {
  const left = await given.collection([local]);
  const right = await given.collection(foreign);
  const [found] = await left
    .aggregate([{ $lookup: { from: right.collectionName, localField, foreignField, as: "found" } }])
    .toArray();
  return required(found).found.map(({ _id }: Document) => _id);
}

const NUMBERS = [1, 2, 3].map((_id) => ({ _id, b: _id }));

describe("$lookup", () => {
  test.each<[string, Document, string, number[]]>([
    ["each document of an array", { a: [{ x: 1 }, { x: 3 }] }, "a.x", [1, 3]],
    ["each element of an array in a document of an array", { a: [{ x: [1, 2] }, { y: 3 }] }, "a.x", [1, 2]],
    ["the document at a place in an array", { a: [{ x: 1 }, { x: 3 }] }, "a.0.x", [1]],
    ["the elements of an array at a place in an array", { a: [[1, 2], [3]] }, "a.0", [1, 2]],
    ["no document of an array within an array", { a: [[{ x: 1 }]] }, "a.x", []],
    ["no element at a place where there is no array", { a: { x: 1 } }, "a.0.x", []],
    ["a field named by a number", { a: { "0": { x: 2 } } }, "a.0.x", [2]],
    ["an array within an array as a whole, not its elements", { a: [[1, 2], 3] }, "a", [3]],
  ])("goes from the local field through arrays: %s", async (_what, local, path, ids) => {
    expect(await joined(local, path, NUMBERS, "b")).toEqual(ids);
  });

  test.each<[string, Document, unknown]>([
    ["one of its elements", { b: [1, 2] }, 2],
    ["a field in one of its documents", { b: [{ x: 1 }, { x: 2 }] }, 2],
    ["itself as an element of the local array", { b: [1, 2] }, [[1, 2]]],
  ])("finds an array of the foreign field by %s", async (_what, foreign, value) => {
    const path = Array.isArray(foreign.b) && typeof foreign.b[0] === "object" ? "b.x" : "b";

    expect(
      await joined(
        { a: value },
        "a",
        [
          { _id: 1, ...foreign },
          { _id: 2, b: 9 },
        ],
        path,
      ),
    ).toEqual([1]);
  });

  test("joins what is missing with what is null or missing", async () => {
    const foreign = [{ _id: 1, b: null }, { _id: 2 }, { _id: 3, b: 0 }];

    expect(await joined({}, "a", foreign, "b")).toEqual([1, 2]);
  });
});
