import { describe, expect, test } from "vitest";
import { compileFilter } from "#db/engine/filter/match.ts";
import { docFromEjson, fromEjson } from "#db/engine/tests/ejson.ts";
import { compileUpdate, seedFromQuery, type UpdateOptions } from "#db/engine/update/update.ts";
import { encode } from "#db/engine/values/bson.ts";
import { EngineError } from "#db/engine/values/errors.ts";
import { type Doc, Timestamp } from "#db/engine/values/values.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { drawRows } from "./engine-run.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;

const NOW = 1_700_000_000_123n;
const double = (text: string) => ({ $numberDouble: text });
const long = (text: string) => ({ $numberLong: text });

function apply(
  document: Json,
  update: unknown,
  options: Partial<UpdateOptions> & { filters?: Json[] } = {},
): Doc {
  const { filters, ...rest } = options;
  const compiled = compileUpdate(fromEjson(update), filters?.map(fromEjson));
  return compiled.apply(docFromEjson(document), { insert: false, now: NOW, ...rest });
}

function errorOf(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("accepted");
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
  ["make the objects on the way", {}, { $set: { "a.b.c": 1 } }, { a: { b: { c: 1 } } }],
  ["set an element of an array", { a: [1, 2] }, { $set: { "a.1": 9 } }, { a: [1, 9] }],
  [
    "fill an array with nulls up to the index",
    { a: [1] },
    { $set: { "a.3.b": 9 } },
    { a: [1, null, null, { b: 9 }] },
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

specify("$inc and $mul", [
  ["stay int32 while it fits", { a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
  ["grow into int64", { a: 2147483647 }, { $inc: { a: 1 } }, { a: long("2147483648") }],
  ["stay int64 once they are", { a: long("5") }, { $inc: { a: -3 } }, { a: long("2") }],
  ["are double with a double", { a: 1 }, { $inc: { a: double("1.0") } }, { a: double("2.0") }],
  ["start from the amount", {}, { $inc: { a: 5 } }, { a: 5 }],
  [
    "start from a zero of the factor's type",
    {},
    { $mul: { a: 5, b: long("5"), c: double("5.0") } },
    { a: 0, b: long("0"), c: double("0.0") },
  ],
  [
    "multiply",
    { a: 65536, b: 3 },
    { $mul: { a: 65536, b: double("0.5") } },
    { a: long("4294967296"), b: double("1.5") },
  ],
]);

specify("$min, $max, $bit and $currentDate", [
  [
    "$min takes the smaller by the order of all types",
    { a: 5, b: 5 },
    { $min: { a: 3, b: "x" } },
    { a: 3, b: 5 },
  ],
  [
    "$max takes the larger by the order of all types",
    { a: 5, b: 5 },
    { $max: { a: 3, b: "x" } },
    { a: 5, b: "x" },
  ],
  ["equal numbers keep their type", { a: 5 }, { $max: { a: double("5.0") } }, { a: 5 }],
  ["make the field where it is missing", {}, { $min: { a: 1 }, $max: { b: 2 } }, { a: 1, b: 2 }],
  ["$bit works through its operations", { a: 13 }, { $bit: { a: { and: 10, or: 1, xor: 3 } } }, { a: 10 }],
  ["$bit starts from zero", {}, { $bit: { a: { or: 5 } } }, { a: 5 }],
  ["$bit widens to int64", { a: 1 }, { $bit: { a: { or: long("4294967296") } } }, { a: long("4294967297") }],
  [
    "$currentDate sets a date",
    { a: 1 },
    { $currentDate: { a: true, b: { $type: "date" } } },
    { a: { $date: { $numberLong: String(NOW) } }, b: { $date: { $numberLong: String(NOW) } } },
  ],
  [
    "$currentDate sets a timestamp",
    {},
    { $currentDate: { a: { $type: "timestamp" } } },
    { a: { $timestamp: { t: 1_700_000_000, i: 1 } } },
  ],
]);

specify("$rename", [
  ["moves a value to the end", { a: 1, b: 2 }, { $rename: { a: "c" } }, { b: 2, c: 1 }],
  [
    "moves between objects",
    { a: { b: 1, c: 2 } },
    { $rename: { "a.b": "d.e" } },
    { a: { c: 2 }, d: { e: 1 } },
  ],
  ["moves within an object", { a: { b: 1, c: 2 } }, { $rename: { "a.b": "a.d" } }, { a: { c: 2, d: 1 } }],
  ["takes the place of what is there", { a: 1, b: 2, c: 3 }, { $rename: { a: "b" } }, { b: 1, c: 3 }],
  ["does nothing without a source", { b: 4 }, { $rename: { a: "b.c" } }, { b: 4 }],
]);

specify("$push and $addToSet", [
  ["$push appends", { a: [1] }, { $push: { a: [2] } }, { a: [1, [2]] }],
  ["$push makes the array", {}, { $push: { a: 1 } }, { a: [1] }],
  ["$each appends several", { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  [
    "$position says where",
    { a: [1, 2, 3] },
    { $push: { a: { $each: [9], $position: 1 } } },
    { a: [1, 9, 2, 3] },
  ],
  [
    "$position counts from the end when negative",
    { a: [1, 2, 3] },
    { $push: { a: { $each: [8, 9], $position: -1 } } },
    { a: [1, 2, 8, 9, 3] },
  ],
  [
    "$position stops at the ends",
    { a: [1], b: [1] },
    { $push: { a: { $each: [9], $position: 7 }, b: { $each: [9], $position: -7 } } },
    { a: [1, 9], b: [9, 1] },
  ],
  [
    "$sort orders whole elements",
    { a: [3, "x", 1] },
    { $push: { a: { $each: [2], $sort: 1 } } },
    { a: [1, 2, 3, "x"] },
  ],
  [
    "$sort orders by fields, a missing one as null, and keeps ties",
    { a: [{ x: 2, i: 0 }, { i: 1 }, { x: 1, i: 2 }, { x: 2, i: 3 }] },
    { $push: { a: { $each: [], $sort: { x: -1 } } } },
    { a: [{ x: 2, i: 0 }, { x: 2, i: 3 }, { x: 1, i: 2 }, { i: 1 }] },
  ],
  ["$slice keeps the first", { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
  ["$slice keeps the last", { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  ["$slice zero empties", { a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
  [
    "$addToSet adds what is not there",
    { a: [1, 2] },
    { $addToSet: { a: { $each: [2, 3, 3, double("1.0")] } } },
    { a: [1, 2, 3] },
  ],
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
  ["$addToSet makes the array", {}, { $addToSet: { a: { $each: [1, 1] } } }, { a: [1] }],
]);

specify("$pull, $pullAll and $pop", [
  ["$pull takes out equal values", { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
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
  [
    "$pull takes a pattern",
    { a: ["ab", "b"] },
    { $pull: { a: { $regularExpression: { pattern: "^a", options: "" } } } },
    { a: ["b"] },
  ],
  ["$pull of an array is exact", { a: [[1, 2], [2, 1], 1] }, { $pull: { a: [1, 2] } }, { a: [[2, 1], 1] }],
  [
    "$pullAll takes out every one named",
    { a: [1, 2, 3, double("1.0")] },
    { $pullAll: { a: [1, 3] } },
    { a: [2] },
  ],
  [
    "$pop takes the last or the first",
    { a: [1, 2, 3], b: [1, 2, 3] },
    { $pop: { a: 1, b: -1 } },
    { a: [1, 2], b: [2, 3] },
  ],
  [
    "leave missing fields alone",
    { a: {} },
    { $pull: { "a.b": 1, x: 1 }, $pop: { y: 1 }, $pullAll: { z: [1] } },
    { a: {} },
  ],
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

  test("$ meets a named index in the same update", () => {
    const document = { _id: 1, a: [{}, {}] };
    const update = { $set: { "a.0.x": 1, "a.$.y": 2 } };

    expectSame(apply(document, update, { position: 0 }), { _id: 1, a: [{ x: 1, y: 2 }, {}] });
    expect(errorOf(() => apply(document, { $set: { "a.0": 1, "a.$": 2 } }, { position: 0 })).code).toBe(40);
  });

  test("$ without a match is refused, also in an upsert", () => {
    expect(errorOf(() => apply({ _id: 1, a: [1] }, { $set: { "a.$": 2 } })).code).toBe(2);
    expect(errorOf(() => apply({ a: [1] }, { $set: { "a.$": 2 } }, { insert: true })).code).toBe(2);
  });

  test("$[] is every element", () => {
    expectSame(apply({ _id: 1, a: [{ b: [1, 2] }, { b: [3] }] }, { $inc: { "a.$[].b.$[]": 10 } }), {
      _id: 1,
      a: [{ b: [11, 12] }, { b: [13] }],
    });
  });

  test("$[identifier] is every element that its filter accepts", () => {
    const document = {
      _id: 1,
      a: [
        { x: 1, n: [1, 9] },
        { x: 2, n: [9] },
      ],
    };
    const filters = [{ "one.x": 1 }, { $or: [{ big: { $gt: 5 } }, { big: 0 }] }];

    expectSame(apply(document, { $set: { "a.$[one].n.$[big]": 0 } }, { filters }), {
      _id: 1,
      a: [
        { x: 1, n: [1, 0] },
        { x: 2, n: [9] },
      ],
    });
  });

  test("filters judge the elements as they were", () => {
    const filters = [{ e: { $lt: 3 } }, { f: { $gte: 3 } }];

    expectSame(apply({ _id: 1, a: [1, 5] }, { $inc: { "a.$[e]": 10 }, $set: { "a.$[f]": 0 } }, { filters }), {
      _id: 1,
      a: [11, 0],
    });
  });

  test("two filters on one element conflict", () => {
    const filters = [{ e: { $gt: 0 } }, { f: { $gt: 0 } }];

    expect(
      errorOf(() => apply({ _id: 1, a: [1] }, { $set: { "a.$[e]": 1, "a.$[f]": 2 } }, { filters })).code,
    ).toBe(40);
  });

  test.each<[claim: string, code: number, document: Json, update: Json, filters?: Json[]]>([
    ["a filter that is not used", 9, { a: [1] }, { $set: { "a.$[e]": 1 } }, [{ e: 1 }, { f: 1 }]],
    ["an identifier without a filter", 2, { a: [1] }, { $set: { "a.$[e]": 1 } }],
    ["two filters of one name", 9, { a: [1] }, { $set: { "a.$[e]": 1 } }, [{ e: 1 }, { e: 2 }]],
    ["a filter over two names", 9, { a: [1] }, { $set: { "a.$[e]": 1 } }, [{ e: 1, f: 2 }]],
    ["a filter without a name", 9, { a: [1] }, { $set: { "a.$[e]": 1 } }, [{}]],
    ["a filter's name in capitals", 2, { a: [1] }, { $set: { "a.$[E]": 1 } }, [{ E: 1 }]],
    ["an expression as filter", 224, { a: [1] }, { $set: { "a.$[e]": 1 } }, [{ $expr: true }]],
    ["filters for a replacement", 9, { a: [1] }, { b: 1 }, [{ e: 1 }]],
    ["$[] on what is missing", 2, {}, { $set: { "a.$[]": 1 } }],
    ["$[] on what is no array", 2, { a: 1 }, { $set: { "a.$[]": 1 } }],
    ["$[] in front", 2, {}, { $set: { "$[].a": 1 } }],
    ["$ in front", 2, {}, { $set: { "$.a": 1 } }],
    ["$ twice", 2, { a: [] }, { $set: { "a.$.b.$": 1 } }],
    ["$[] beside an index", 40, { a: [1] }, { $set: { "a.$[]": 1, "a.0": 2 } }],
  ])("%s is refused", (_, code, document, update, filters) => {
    expect(errorOf(() => apply({ _id: 1, ...document }, update, { filters })).code).toBe(code);
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
  test("put the current time into empty timestamps", () => {
    const got = apply({ _id: 1 }, { a: { $timestamp: { t: 0, i: 0 } } });

    expect(got.get("a")).toEqual(new Timestamp((1_700_000_000n << 32n) | 1n));
  });
});

describe("pipelines", () => {
  test.each<Row>([
    ["set fields from others", { a: 1 }, [{ $set: { b: { $add: ["$a", 1] } } }], { a: 1, b: 2 }],
    ["remove fields", { a: 1, b: 2 }, [{ $unset: ["a"] }], { b: 2 }],
    [
      "run stage after stage",
      { a: 1 },
      [{ $set: { b: "$a" } }, { $set: { c: "$b" } }, { $unset: "a" }],
      { b: 1, c: 1 },
    ],
    ["keep _id through a projection without it", { a: 1, b: 2 }, [{ $project: { _id: 0, a: 1 } }], { a: 1 }],
    ["keep _id through a new root", { a: { b: 1 } }, [{ $replaceWith: "$a" }], { b: 1 }],
  ])("%s", (_, document, update, want) => {
    expectSame(apply({ _id: 1, ...document }, update), { _id: 1, ...want });
  });

  test("know the time of the operation", () => {
    const update = compileUpdate(fromEjson([{ $set: { at: "$$NOW" } }]));

    for (const now of [NOW, NOW + 1n])
      expectSame(update.apply(docFromEjson({ _id: 1 }), { insert: false, now }), {
        _id: 1,
        at: { $date: { $numberLong: String(now) } },
      });
  });

  test("see the variables of the command", () => {
    const update = compileUpdate(fromEjson([{ $set: { a: "$$x" } }]), [], new Map([["x", "given"]]));

    expectSame(update.apply(docFromEjson({ _id: 1 }), { insert: false, now: 0n }), { _id: 1, a: "given" });
  });

  test.each<[claim: string, code: number, update: unknown]>([
    ["a stage that makes more or fewer documents", 72, [{ $match: { a: 1 } }]],
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
    [9, {}, { $set: 1 }],
    [40, {}, { $set: { a: 1 }, $inc: { a: 1 } }],
    [40, {}, { $set: { a: 1, "a.b": 1 } }],
    [40, {}, { $set: { "a.b": 1 }, $unset: { a: 1 } }],
    [40, {}, { $rename: { a: "b" }, $set: { a: 1 } }],
    [40, {}, { $rename: { a: "b" }, $set: { b: 1 } }],
    [56, {}, { $set: { "": 1 } }],
    [56, {}, { $set: { "a..b": 1 } }],
    [56, {}, { $rename: { a: "b." } }],
    [52, {}, { $set: { $a: 1 } }],
    [52, {}, { $set: { "$a.b": 1 } }],
    [28, { a: 1 }, { $set: { "a.b": 1 } }],
    [28, { a: null }, { $inc: { "a.b": 1 } }],
    [28, { a: [1] }, { $set: { "a.b": 1 } }],
    [28, { a: [{ b: [1] }] }, { $pull: { "a.b": 1 } }],
    [28, { a: 1 }, { $pop: { "a.b": 1 } }],
    [34, { a: [] }, { $set: { "a.1500001": 1 } }],
    [66, {}, { $set: { _id: 2 } }],
    [66, {}, { $set: { _id: double("1.0") } }],
    [66, {}, { $unset: { _id: 1 } }],
    [66, {}, { $rename: { _id: "a" } }],
    [66, {}, { _id: 2 }],
    [66, {}, { _id: null }],
    [14, {}, { $inc: { a: "1" } }],
    [14, { a: "x" }, { $inc: { a: 1 } }],
    [14, { a: null }, { $mul: { a: 1 } }],
    [2, { a: long("9223372036854775807") }, { $inc: { a: 1 } }],
    [2, { a: long("9223372036854775807") }, { $mul: { a: 2 } }],
    [2, { a: 1 }, { $push: { a: 1 } }],
    [2, {}, { $push: { a: { $each: 1 } } }],
    [2, {}, { $push: { a: { $each: [], $frob: 1 } } }],
    [2, {}, { $push: { a: { $each: [], $slice: double("1.5") } } }],
    [2, {}, { $push: { a: { $each: [], $sort: 2 } } }],
    [2, {}, { $push: { a: { $each: [], $sort: {} } } }],
    [2, {}, { $push: { a: { $each: [], $sort: { "x.": 1 } } } }],
    [2, { a: 1 }, { $addToSet: { a: 1 } }],
    [14, {}, { $addToSet: { a: { $each: 1 } } }],
    [2, {}, { $addToSet: { a: { $each: [], x: 1 } } }],
    [2, { a: 1 }, { $pull: { a: 1 } }],
    [2, { a: [] }, { $pull: { a: { b: 1, $gt: 1 } } }],
    [2, {}, { $pullAll: { a: 1 } }],
    [2, { a: 1 }, { $pullAll: { a: [1] } }],
    [14, { a: 1 }, { $pop: { a: 1 } }],
    [9, { a: [] }, { $pop: { a: 2 } }],
    [9, { a: [] }, { $pop: { a: "1" } }],
    [2, { a: 1 }, { $bit: { a: 1 } }],
    [2, { a: 1 }, { $bit: { a: {} } }],
    [2, { a: 1 }, { $bit: { a: { not: 1 } } }],
    [2, { a: 1 }, { $bit: { a: { and: double("1.0") } } }],
    [2, { a: double("1.0") }, { $bit: { a: { and: 1 } } }],
    [2, {}, { $currentDate: { a: 1 } }],
    [2, {}, { $currentDate: { a: { $type: "time" } } }],
    [2, {}, { $currentDate: { a: { type: "date" } } }],
    [2, {}, { $rename: { a: 1 } }],
    [2, {}, { $rename: { a: "a" } }],
    [2, {}, { $rename: { a: "a.b" } }],
    [2, {}, { $rename: { "a.$[]": "b" } }],
    [2, {}, { $rename: { a: "b.$" } }],
    [2, { a: [{ b: 1 }] }, { $rename: { "a.0.b": "c" } }],
    [2, { a: 1, b: [{}] }, { $rename: { a: "b.0.c" } }],
    [9, {}, 5],
  ];
  test.each(drawRows("refused updates", rows))("code %i for %j changed by %j", (code, document, update) => {
    expect(errorOf(() => apply({ _id: 1, ...document }, update)).code).toBe(code);
  });
});

describe("upserts", () => {
  const upsert = (query: Json, update: unknown) => {
    const compiled = compileUpdate(fromEjson(update));
    return compiled.apply(seedFromQuery(docFromEjson(query), compiled.replaces), { insert: true, now: NOW });
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
    { $inc: { "a.b.$[].c": 1 } },
    { $rename: { "a.b": "e" } },
    { $unset: { "a.b.1": 1, d: 1 } },
    { $push: { "a.b": { $each: [1], $position: 0 } } },
  ];

  for (const update of updates) {
    const after = compileUpdate(fromEjson(update)).apply(document, { insert: false, now: NOW });
    expect(encode(after).equals(before)).toBe(false);
    expect(encode(document).equals(before)).toBe(true);
  }
});
