/** Updates by example. What the operators do to any value is in update-model.test.ts. */
import { describe, expect, test } from "vitest";
import { compileFilter } from "../filter/match.ts";
import { compileUpdate, seedFromQuery, type UpdateOptions } from "../update/update.ts";
import { encode } from "../values/bson.ts";
import type { Doc } from "../values/values.ts";
import { docFromEjson, double, errorOf, fromEjson, long } from "./ejson.ts";
import { drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;

function apply(document: Json, update: unknown, options: Partial<UpdateOptions> = {}): Doc {
  return compileUpdate(fromEjson(update)).apply(docFromEjson(document), { insert: false, ...options });
}

/** Same fields in the same order with the same types. */
function expectSame(got: Doc, want: Json): void {
  expect(got).toEqual(docFromEjson(want));
  expect(encode(got).equals(encode(docFromEjson(want)))).toBe(true);
}

type Row = [claim: string, document: Json, update: unknown, want: Json];
function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s", (_, document, update, want) => {
      expectSame(apply({ _id: 1, ...document }, update), { _id: 1, ...want });
    });
  });
}

specify("$set and $unset", [
  ["replace a value in its place", { a: 1, b: 2 }, { $set: { a: "x" } }, { a: "x", b: 2 }],
  [
    "add fields in the order of their paths",
    { z: 1 },
    { $set: { y: 1, b: 2, "a.10": 3, "a.9": 4 } },
    { z: 1, a: { "9": 4, "10": 3 }, b: 2, y: 1 },
  ],
  ["keep a number's type as it is written", { a: 1 }, { $set: { a: double("1.0") } }, { a: double("1.0") }],
  [
    "set a zero of the other sign",
    { a: double("0.0") },
    { $set: { a: double("-0.0") } },
    { a: double("-0.0") },
  ],
  ["remove a field", { a: 1, b: 2 }, { $unset: { a: "" } }, { b: 2 }],
  ["leave null where an element was", { a: [1, 2, 3] }, { $unset: { "a.1": 1 } }, { a: [1, null, 3] }],
  ["remove nothing that is not there", { a: 1 }, { $unset: { "b.c": 1, "a.b": 1 } }, { a: 1 }],
  ["do nothing with no fields", { a: 1 }, { $set: {}, $unset: {} }, { a: 1 }],
  [
    "reach embedded names with a dollar",
    { a: { $b: 1 } },
    { $set: { "a.$b": 2, "a.$c": 3 } },
    { a: { $b: 2, $c: 3 } },
  ],
  ["leave $setOnInsert to inserts", { a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
]);

specify("$push and $addToSet", [
  [
    "$addToSet minds the order of fields",
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
]);

specify("$pull", [
  ["$pull takes a condition", { a: [1, 5, 9] }, { $pull: { a: { $gt: 1, $lt: 9 } } }, { a: [1, 9] }],
  [
    "$pull takes a query over documents",
    { a: [{ x: 1, y: 1 }, { x: 1, y: 2 }, 1] },
    { $pull: { a: { x: 1, y: { $gt: 1 } } } },
    { a: [{ x: 1, y: 1 }, 1] },
  ],
  [
    "$pull of a document ignores the order of fields",
    { a: [{ x: 1, y: 2, z: 3 }] },
    { $pull: { a: { y: 2, x: 1 } } },
    { a: [] },
  ],
  ["$pull of an array is exact", { a: [[1, 2], [2, 1], 1] }, { $pull: { a: [1, 2] } }, { a: [[2, 1], 1] }],
  ["leave missing fields alone", { a: {} }, { $pull: { "a.b": 1, x: 1 } }, { a: {} }],
]);

describe("positional operators", () => {
  const positional = (document: Json, query: Json, update: Json) => {
    const position = compileFilter(docFromEjson(query)).position(docFromEjson(document));
    return apply(document, update, { position });
  };

  test("$ is the element that the query met", () => {
    const document = { _id: 1, a: [{ x: 1 }, { x: 2 }] };

    expectSame(positional(document, { "a.x": 2 }, { $set: { "a.$.y": 9 }, $inc: { "a.$.x": 1 } }), {
      _id: 1,
      a: [{ x: 1 }, { x: 3, y: 9 }],
    });
  });

  test("$ beside a named index is refused", () => {
    const document = { _id: 1, a: [{}, {}] };
    const update = { $set: { "a.0.x": 1, "a.$.y": 2 } };

    expect(errorOf(() => apply(document, update, { position: 0 })).code).toBe(238);
  });

  test("$ without a match is refused, also in an upsert", () => {
    expect(errorOf(() => apply({ _id: 1, a: [1] }, { $set: { "a.$": 2 } })).code).toBe(2);
    expect(errorOf(() => apply({ a: [1] }, { $set: { "a.$": 2 } }, { insert: true })).code).toBe(2);
  });

  test.each<[claim: string, code: number, document: Json, update: Json]>([
    ["$ in front", 2, {}, { $set: { "$.a": 1 } }],
    ["$ twice", 2, { a: [] }, { $set: { "a.$.b.$": 1 } }],
    ["$[]", 238, { a: [1] }, { $set: { "a.$[]": 1 } }],
    ["$[name]", 238, { a: [1] }, { $set: { "a.$[e]": 1 } }],
  ])("%s is refused", (_, code, document, update) => {
    expect(errorOf(() => apply({ _id: 1, ...document }, update)).code).toBe(code);
  });
});

describe("replacements", () => {
  test("keep _id and nothing else", () => {
    expectSame(apply({ _id: 1, a: 1 }, { b: 2 }), { _id: 1, b: 2 });
  });
  test("may repeat _id, which then comes first", () => {
    expectSame(apply({ _id: 1, a: 1 }, { b: 2, _id: double("1.0") }), { _id: double("1.0"), b: 2 });
  });
  test("say that they are replacements", () => {
    expect(compileUpdate(fromEjson({ a: 1 })).replaces).toBe(true);
    expect(compileUpdate(fromEjson({})).replaces).toBe(true);
    expect(compileUpdate(fromEjson({ $set: { a: 1 } })).replaces).toBe(false);
  });
});

describe("pipelines", () => {
  test.each<Row>([
    ["set fields from others", { a: 1 }, [{ $set: { b: { $add: ["$a", 1] } } }], { a: 1, b: 2 }],
    ["run stage after stage", { a: 1 }, [{ $set: { b: "$a" } }, { $set: { c: "$b" } }], { a: 1, b: 1, c: 1 }],
  ])("%s", (_, document, update, want) => {
    expectSame(apply({ _id: 1, ...document }, update), { _id: 1, ...want });
  });

  test.each<[claim: string, code: number, update: unknown]>([
    ["a stage that makes more or fewer documents", 72, [{ $match: { a: 1 } }]],
    ["a stage that other pipelines may have", 72, [{ $project: { a: 1 } }]],
    ["a changed _id", 66, [{ $set: { _id: 2 } }]],
    ["a stage that is no document", 14, ["$set"]],
  ])("%s is refused", (_, code, update) => {
    expect(errorOf(() => apply({ _id: 1 }, update)).code).toBe(code);
  });
});

describe("refusals", () => {
  const rows: [code: number, document: Json, update: unknown][] = [
    [9, {}, { $set: { a: 1 }, b: 1 }],
    [52, {}, { b: 1, $set: { a: 1 } }],
    [9, {}, { $frob: { a: 1 } }],
    [9, {}, { $rename: { a: "b" } }],
    [2, {}, { $push: { a: { $each: [], $sort: 1 } } }],
    [9, {}, { $set: 1 }],
    [40, {}, { $set: { a: 1 }, $inc: { a: 1 } }],
    [40, {}, { $set: { a: 1, "a.b": 1 } }],
    [40, {}, { $set: { "a.b": 1 }, $unset: { a: 1 } }],
    [56, {}, { $set: { "": 1 } }],
    [56, {}, { $set: { "a..b": 1 } }],
    [52, {}, { $set: { $a: 1 } }],
    [52, {}, { $set: { "$a.b": 1 } }],
    [28, { a: 1 }, { $set: { "a.b": 1 } }],
    [28, { a: null }, { $inc: { "a.b": 1 } }],
    [28, { a: [1] }, { $set: { "a.b": 1 } }],
    [28, { a: [{ b: [1] }] }, { $pull: { "a.b": 1 } }],
    [34, { a: [] }, { $set: { "a.1500001": 1 } }],
    [66, {}, { $set: { _id: 2 } }],
    [66, {}, { $set: { _id: double("1.0") } }],
    [66, {}, { $unset: { _id: 1 } }],
    [66, {}, { _id: 2 }],
    [66, {}, { _id: null }],
    [14, {}, { $inc: { a: "1" } }],
    [14, { a: "x" }, { $inc: { a: 1 } }],
    [2, { a: long("9223372036854775807") }, { $inc: { a: 1 } }],
    [2, { a: 1 }, { $push: { a: 1 } }],
    [2, {}, { $push: { a: { $each: 1 } } }],
    [2, {}, { $push: { a: { $each: [], $frob: 1 } } }],
    [2, {}, { $push: { a: { $each: [], $slice: double("1.5") } } }],
    [2, { a: 1 }, { $addToSet: { a: 1 } }],
    [14, {}, { $addToSet: { a: { $each: 1 } } }],
    [2, {}, { $addToSet: { a: { $each: [], x: 1 } } }],
    [2, { a: 1 }, { $pull: { a: 1 } }],
    [2, { a: [] }, { $pull: { a: { b: 1, $gt: 1 } } }],
    [9, {}, 5],
  ];
  test.each(drawRows("refused updates", rows))("code %i for %j changed by %j", (code, document, update) => {
    expect(errorOf(() => apply({ _id: 1, ...document }, update)).code).toBe(code);
  });
});

describe("upserts", () => {
  const upsert = (query: Json, update: unknown) => {
    const compiled = compileUpdate(fromEjson(update));
    return compiled.apply(seedFromQuery(docFromEjson(query), compiled.replaces), { insert: true });
  };

  test.each<[claim: string, query: Json, update: unknown, want: Json]>([
    [
      "start from the query's equalities in the order of their paths",
      { z: 1, a: { $eq: 2 }, n: { $gt: 1 } },
      { $set: { m: 3 } },
      { a: 2, z: 1, m: 3 },
    ],
    [
      "take $and, a single $or, $in and $all of one",
      { $and: [{ a: 1 }, { $or: [{ b: 2 }] }], c: { $in: [3] }, d: { $all: [4] } },
      { $set: { e: 5 } },
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
    ],
    [
      "take nothing from other conditions",
      { a: { $in: [1, 2] }, $or: [{ b: 1 }, { b: 2 }], $nor: [{ c: 1 }], d: { $ne: 1 } },
      { $set: { e: 5 } },
      { e: 5 },
    ],
    [
      "make objects of dotted paths, digits being names",
      { "a.b": 1, "a.0": 2 },
      { $set: { e: 5 } },
      { a: { "0": 2, b: 1 }, e: 5 },
    ],
    ["put _id first", { b: 1 }, { $set: { A: 1, _id: 7 } }, { _id: 7, b: 1, A: 1 }],
    ["apply $setOnInsert", { _id: 1 }, { $setOnInsert: { a: 1 } }, { _id: 1, a: 1 }],
    ["replace with only _id from the query", { _id: 1, a: 1, "a.b": 2 }, { c: 1 }, { _id: 1, c: 1 }],
    [
      "put the pieces of an _id together",
      { "_id.x": 1, "_id.y": 2 },
      { $set: { a: 1 } },
      { _id: { x: 1, y: 2 }, a: 1 },
    ],
  ])("%s", (_, query, update, want) => {
    expectSame(upsert(query, update), want);
  });

  test.each<[code: number, query: Json, update: unknown]>([
    [54, { $and: [{ a: 1 }, { a: 1 }] }, { $set: { b: 1 } }],
    [54, { a: { $all: [1, 2] } }, { $set: { b: 1 } }],
    [54, { a: { x: 1 }, "a.b": 1 }, { $set: { b: 1 } }],
    [54, { "a.b": 1, a: { x: 1 } }, { $set: { b: 1 } }],
    [66, { _id: 1 }, { $set: { _id: 2 } }],
    [66, { _id: 1 }, { _id: 2 }],
    [53, { _id: { $in: [[1]] } }, { a: 1 }],
    [53, {}, { $set: { _id: [1] } }],
    [111, { "_id.x": 1 }, { a: 1 }],
  ])("code %i for %j with %j", (code, query, update) => {
    expect(errorOf(() => upsert(query, update)).code).toBe(code);
  });
});

test("the document given is never changed", () => {
  const document = docFromEjson({ _id: 1, a: { b: [{ c: 1 }, { c: 2 }] }, d: 1 });
  const before = encode(document);
  const updates = [
    { $set: { "a.b.0.c": 9, "a.x": 1 } },
    { $unset: { "a.b.1": 1, d: 1 } },
    { $push: { "a.b": { $each: [1], $slice: -1 } } },
  ];

  for (const update of updates) {
    const after = compileUpdate(fromEjson(update)).apply(document, { insert: false });
    expect(encode(after).equals(before)).toBe(false);
    expect(encode(document).equals(before)).toBe(true);
  }
});
