import { BSON } from "mongodb";
import { describe, expect, test } from "vitest";
import { compileStages, connectStages, runStages, STAGE_OPERATORS } from "#db/engine/aggregate/aggregate.ts";
import type { PipelineContext } from "#db/engine/aggregate/stage.ts";
import { docFromEjson, fromEjson } from "#db/engine/tests/ejson.ts";
import { encode } from "#db/engine/values/bson.ts";
import { EngineError } from "#db/engine/values/errors.ts";
import { type Doc, equal, Int32 } from "#db/engine/values/values.ts";
import { itemAt } from "#domain/required.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { drawRows } from "./engine-run.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;

const double = (text: string) => ({ $numberDouble: text });
const long = (text: string) => ({ $numberLong: text });

const AUTHORS = [
  { _id: 10, name: "Ada" },
  { _id: 11, name: "Bob", tag: null },
  { _id: 12, name: "Cy", tag: "x" },
].map(docFromEjson);

const CONTEXT: PipelineContext = {
  now: 0n,
  variables: new Map(),
  lookup: (collection, path, value) =>
    collection === "authors" ? AUTHORS.filter((author) => equal(author.get(path) ?? null, value)) : [],
  checkTime: () => {},
};

const BOOKS: Json[] = [
  { _id: 1, title: "A", price: 10, tags: ["x", "y"], author: 10, at: { year: 2020 } },
  { _id: 2, title: "B", price: 20, tags: [], author: 11, at: { year: 2021 } },
  { _id: 3, title: "C", price: 30, tags: ["x"], author: 10, at: { year: 2020 } },
  { _id: 4, title: "D", tags: null, author: 99 },
];

/** Types and the order of fields as text. */
function shown(documents: Doc[]): string[] {
  return documents.map((document) =>
    BSON.EJSON.stringify(BSON.deserialize(encode(document), { promoteValues: false }), { relaxed: false }),
  );
}

function run(pipeline: Json[], documents: Json[] = BOOKS): Doc[] {
  return runStages(compileStages(pipeline.map(fromEjson), CONTEXT), documents.map(docFromEjson));
}

function errorOf(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("answered");
}

type Row = [claim: string, pipeline: Json[], want: Json[], documents?: Json[]];

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s", (_, pipeline, want, documents) => {
      expect(shown(run(pipeline, documents))).toEqual(shown(want.map(docFromEjson)));
    });
  });
}

const ids = { $project: { _id: 1 } };

specify("choosing documents", [
  ["$match keeps what matches", [{ $match: { price: { $gt: 10 } } }, ids], [{ _id: 2 }, { _id: 3 }]],
  ["$limit ends the stream", [{ $limit: 2 }, ids], [{ _id: 1 }, { _id: 2 }]],
  ["$skip leaves the first out", [{ $skip: 3 }, ids], [{ _id: 4 }]],
  ["$skip of none", [{ $skip: 0 }, { $limit: 1 }, ids], [{ _id: 1 }]],
  ["$count counts", [{ $match: { author: 10 } }, { $count: "books" }], [{ books: 2 }]],
  ["$count of nothing gives nothing", [{ $match: { author: 0 } }, { $count: "books" }], []],
  [
    "$sample of more than there is gives all",
    [{ $sample: { size: 9 } }, { $sort: { _id: 1 } }, ids],
    [{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }],
  ],
]);

const A = [{ _id: 1, a: { b: 1, c: 2 }, d: [{ e: 1, f: 2 }, 3, [{ e: 4 }]] }];

specify("$project", [
  [
    "includes fields in the order of the document, with _id",
    [{ $project: { price: 1, title: true } }],
    [{ _id: 1, title: "A", price: 10 }],
    [itemAt(BOOKS, 0)],
  ],
  ["leaves _id out on demand", [{ $project: { title: 1, _id: 0 } }], [{ title: "A" }], [itemAt(BOOKS, 0)]],
  [
    "reaches into documents and arrays",
    [{ $project: { "a.b": 1, d: { e: 1 } } }],
    [{ _id: 1, a: { b: 1 }, d: [{ e: 1 }, [{ e: 4 }]] }],
    A,
  ],
  [
    "excludes, and keeps what is no document",
    [{ $project: { "a.b": 0, "d.e": 0 } }],
    [{ _id: 1, a: { c: 2 }, d: [{ f: 2 }, 3, [{}]] }],
    A,
  ],
  [
    "computes fields behind the included ones",
    [{ $project: { sum: { $add: ["$a.b", 1] }, a: 1 } }],
    [{ _id: 1, a: { b: 1, c: 2 }, sum: 2 }],
    A,
  ],
  [
    "computes inside every element",
    [{ $project: { "d.z": "$a.b", _id: 0 } }],
    [{ d: [{ z: 1 }, { z: 1 }, [{ z: 1 }]] }],
    A,
  ],
  ["drops what is missing", [{ $project: { no: "$nope" } }], [{ _id: 1 }], A],
  ["drops a field below a scalar", [{ $project: { "_id.x": 1, "a.b.c": 1 } }], [{ a: {} }], A],
  ["with only _id includes it", [{ $project: { _id: 1 } }], [{ _id: 1 }], A],
  ["may keep _id in an exclusion", [{ $project: { _id: 1, d: 0 } }], [{ _id: 1, a: { b: 1, c: 2 } }], A],
]);

specify("$addFields, $unset and $replaceRoot", [
  [
    "a new field comes last, an old one keeps its place",
    [{ $addFields: { n: 1, a: 5 } }],
    [{ _id: 1, a: 5, d: 1, n: 1 }],
    [{ _id: 1, a: 1, d: 1 }],
  ],
  ["$set is the same", [{ $set: { n: "$a" } }], [{ _id: 1, a: 1, n: 1 }], [{ _id: 1, a: 1 }]],
  [
    "nested fields keep their neighbours",
    [{ $addFields: { "a.z": 1 } }],
    [{ _id: 1, a: { b: 1, z: 1 } }],
    [{ _id: 1, a: { b: 1 } }],
  ],
  [
    "a scalar gives way to a document",
    [{ $addFields: { "a.z": 1 } }],
    [{ _id: 1, a: { z: 1 } }],
    [{ _id: 1, a: 7 }],
  ],
  [
    "every element of an array is changed",
    [{ $addFields: { "a.z": 1 } }],
    [{ _id: 1, a: [{ b: 1, z: 1 }, { z: 1 }] }],
    [{ _id: 1, a: [{ b: 1 }, 2] }],
  ],
  ["$$REMOVE takes a field away", [{ $addFields: { a: "$$REMOVE" } }], [{ _id: 1 }], [{ _id: 1, a: 7 }]],
  [
    "all expressions see the old document",
    [{ $addFields: { a: "$b", b: "$a" } }],
    [{ _id: 1, a: 2, b: 1 }],
    [{ _id: 1, a: 1, b: 2 }],
  ],
  ["$unset takes fields away", [{ $unset: ["a.b", "d"] }], [{ _id: 1, a: { c: 2 } }], A],
  ["$replaceRoot makes a field the document", [{ $replaceRoot: { newRoot: "$a" } }], [{ b: 1, c: 2 }], A],
  ["$replaceWith takes an expression", [{ $replaceWith: { x: "$_id" } }], [{ x: 1 }], A],
]);

specify("$unwind", [
  [
    "gives one document for each element",
    [{ $unwind: "$tags" }, { $project: { tags: 1 } }],
    [
      { _id: 1, tags: "x" },
      { _id: 1, tags: "y" },
      { _id: 3, tags: "x" },
    ],
  ],
  [
    "keeps empty ones on demand",
    [
      { $unwind: { path: "$tags", preserveNullAndEmptyArrays: true } },
      { $project: { tags: 1 } },
      { $skip: 2 },
    ],
    [{ _id: 2 }, { _id: 3, tags: "x" }, { _id: 4, tags: null }],
  ],
  [
    "numbers the elements",
    [{ $unwind: { path: "$a", includeArrayIndex: "i" } }],
    [
      { _id: 1, a: "p", i: long("0") },
      { _id: 1, a: "q", i: long("1") },
      { _id: 2, a: "s", i: null },
    ],
    [
      { _id: 1, a: ["p", "q"] },
      { _id: 2, a: "s" },
    ],
  ],
  [
    "reaches into documents",
    [{ $unwind: "$a.b" }],
    [{ a: { b: 1, c: 0 } }, { a: { b: 2, c: 0 } }],
    [{ a: { b: [1, 2], c: 0 } }],
  ],
]);

specify("$sort", [
  [
    "orders by several keys",
    [{ $sort: { "at.year": -1, title: -1 } }, ids],
    [{ _id: 2 }, { _id: 3 }, { _id: 1 }, { _id: 4 }],
  ],
  [
    "takes an array by its smallest, descending by its largest element",
    [{ $sort: { a: 1 } }],
    [{ a: [3, 1] }, { a: 2 }],
    [{ a: 2 }, { a: [3, 1] }],
  ],
  [
    "descending by the largest element",
    [{ $sort: { a: -1 } }],
    [{ a: [3, 1] }, { a: 2 }],
    [{ a: 2 }, { a: [3, 1] }],
  ],
  [
    "puts an empty array below null and missing",
    [{ $sort: { a: 1 } }],
    [{ a: [] }, { _id: 1 }, { a: 0 }],
    [{ a: 0 }, { _id: 1 }, { a: [] }],
  ],
  [
    "keeps the order of equals",
    [{ $sort: { author: 1 } }, ids],
    [{ _id: 1 }, { _id: 3 }, { _id: 2 }, { _id: 4 }],
  ],
  ["with $limit gives the first", [{ $sort: { price: -1 } }, { $limit: 2 }, ids], [{ _id: 3 }, { _id: 2 }]],
  [
    "with $skip and $limit gives the window",
    [{ $sort: { price: -1 } }, { $skip: 1 }, { $limit: 1 }, ids],
    [{ _id: 2 }],
  ],
]);

const NUMBERS: Json[] = [
  { k: 1, v: 1 },
  { k: double("1.0"), v: 2.5 },
  { k: long("1"), v: null },
  { k: null, v: 4 },
  { v: 5 },
];

specify("$group", [
  [
    "takes 1, 1.0 and the int64 1 for one key, null and missing for another",
    [{ $group: { _id: "$k", n: { $sum: 1 } } }],
    [
      { _id: 1, n: 3 },
      { _id: null, n: 2 },
    ],
    NUMBERS,
  ],
  [
    "tells a missing part of a compound key from null",
    [{ $group: { _id: { k: "$k", z: "z" }, n: { $count: {} } } }],
    [
      { _id: { k: 1, z: "z" }, n: 3 },
      { _id: { k: null, z: "z" }, n: 1 },
      { _id: { z: "z" }, n: 1 },
    ],
    NUMBERS,
  ],
  [
    "takes missing for null in a key of one part",
    [{ $group: { _id: { k: "$k" }, n: { $count: {} } } }],
    [
      { _id: { k: 1 }, n: 3 },
      { _id: { k: null }, n: 2 },
    ],
    NUMBERS,
  ],
  [
    "sums, averages and extremes skip what is no number or nothing",
    [
      {
        $group: {
          _id: null,
          sum: { $sum: "$v" },
          avg: { $avg: "$v" },
          min: { $min: "$v" },
          max: { $max: "$v" },
        },
      },
    ],
    [{ _id: null, sum: 12.5, avg: 3.125, min: 1, max: double("5") }],
    [...NUMBERS.slice(0, 4), { v: double("5") }],
  ],
  [
    "$first and $last",
    [{ $group: { _id: "$author", first: { $first: "$title" }, last: { $last: "$title" } } }, { $limit: 1 }],
    [{ _id: 10, first: "A", last: "C" }],
  ],
  [
    "$push leaves missing out",
    [{ $group: { _id: null, prices: { $push: "$price" } } }],
    [{ _id: null, prices: [10, 20, 30] }],
  ],
  [
    "$addToSet keeps each value once",
    [{ $group: { _id: null, years: { $addToSet: "$at.year" } } }],
    [{ _id: null, years: [2020, 2021] }],
  ],
  [
    "$firstN, $lastN, $minN and $maxN",
    [
      {
        $group: {
          _id: null,
          f: { $firstN: { n: 2, input: "$v" } },
          l: { $lastN: { n: 2, input: "$v" } },
          s: { $minN: { n: 2, input: "$v" } },
          g: { $maxN: { n: 2, input: "$v" } },
        },
      },
    ],
    [{ _id: null, f: [3, 1], l: [2, null], s: [1, 2], g: [3, 2] }],
    [{ v: 3 }, { v: 1 }, { v: 2 }, {}],
  ],
  [
    "$top and $bottomN go by the order of documents",
    [
      {
        $group: {
          _id: null,
          top: { $top: { sortBy: { price: -1 }, output: "$title" } },
          low: { $bottomN: { n: 2, sortBy: { price: -1 }, output: "$title" } },
        },
      },
    ],
    [{ _id: null, top: "C", low: ["A", "D"] }],
  ],
  [
    "$mergeObjects, later wins",
    [{ $group: { _id: null, all: { $mergeObjects: "$at" } } }],
    [{ _id: null, all: { year: 2020 } }],
  ],
  [
    "$stdDevPop and $stdDevSamp",
    [{ $group: { _id: null, p: { $stdDevPop: "$v" }, s: { $stdDevSamp: "$v" } } }],
    [{ _id: null, p: double("1"), s: Math.SQRT2 }],
    [{ v: 1 }, { v: 3 }],
  ],
  ["of nothing gives nothing", [{ $group: { _id: null, n: { $sum: 1 } } }], [], []],
]);

specify("buckets and counts", [
  [
    "$bucket by boundaries",
    [{ $bucket: { groupBy: "$price", boundaries: [0, 20, 40], default: "other" } }],
    [
      { _id: 0, count: 1 },
      { _id: 20, count: 2 },
      { _id: "other", count: 1 },
    ],
  ],
  [
    "$bucketAuto in equal shares that part no equals",
    [{ $bucketAuto: { groupBy: "$v", buckets: 2 } }],
    [
      { _id: { min: 1, max: 2 }, count: 3 },
      { _id: { min: 2, max: 3 }, count: 2 },
    ],
    [{ v: 1 }, { v: 1 }, { v: 1 }, { v: 2 }, { v: 3 }],
  ],
  ["$sortByCount", [{ $sortByCount: "$author" }, { $limit: 1 }], [{ _id: 10, count: 2 }]],
  [
    "$facet runs pipelines side by side",
    [{ $facet: { n: [{ $count: "n" }], first: [{ $limit: 1 }, ids], none: [{ $match: { _id: 0 } }] } }],
    [{ n: [{ n: 4 }], first: [{ _id: 1 }], none: [] }],
  ],
]);

specify("$lookup", [
  [
    "joins by equality",
    [
      { $limit: 1 },
      { $lookup: { from: "authors", localField: "author", foreignField: "_id", as: "who" } },
      { $project: { who: 1 } },
    ],
    [{ _id: 1, who: [{ _id: 10, name: "Ada" }] }],
  ],
  [
    "gives an empty list where nothing fits",
    [
      { $skip: 3 },
      { $lookup: { from: "authors", localField: "author", foreignField: "_id", as: "who" } },
      { $project: { who: 1 } },
    ],
    [{ _id: 4, who: [] }],
  ],
  [
    "joins every element of an array once",
    [
      { $lookup: { from: "authors", localField: "a", foreignField: "_id", as: "who" } },
      { $project: { ids: "$who._id" } },
    ],
    [{ _id: 1, ids: [10, 12] }],
    [{ _id: 1, a: [10, 12, 10] }],
  ],
  [
    "joins what is missing with null and missing",
    [
      { $lookup: { from: "authors", localField: "no", foreignField: "tag", as: "who" } },
      { $project: { ids: "$who._id" } },
    ],
    [{ _id: 1, ids: [10, 11] }],
    [{ _id: 1 }],
  ],
]);

type Refusal = [claim: string, pipeline: unknown[], code: number];

describe("refusals", () => {
  test.each<Refusal>([
    ["an unknown stage", [{ $nope: 1 }], 40324],
    ["a stage that writes, among those that do not", [{ $out: "x" }], 40601],
    ["a stage with two names", [{ $match: {}, $limit: 1 }], 40323],
    ["a stage that is no object", [1], 14],
    ["a limit of zero", [{ $limit: 0 }], 15958],
    ["a negative skip", [{ $skip: -1 }], 5107200],
    ["an empty $project", [{ $project: {} }], 51272],
    ["inclusion after exclusion", [{ $project: { a: 0, b: 1 } }], 31253],
    ["exclusion after inclusion", [{ $project: { a: 1, b: 0 } }], 31254],
    ["a path twice", [{ $project: { a: 1, "a.b": 1 } }], 31249],
    ["an unknown expression in $project", [{ $project: { a: { $nope: 1 } } }], 31325],
    ["an unknown expression below one", [{ $project: { a: { $add: [{ $nope: 1 }] } } }], 168],
    ["an unknown expression in $addFields", [{ $addFields: { a: { $nope: 1 } } }], 168],
    ["conflicting paths in $addFields", [{ $addFields: { a: 1, "a.b": 1 } }], 40176],
    ["find's $elemMatch in $project", [{ $project: { a: { $elemMatch: { b: 1 } } } }], 168],
    ["a positional projection", [{ $project: { "a.$": 1 } }], 31324],
    ["a sort without keys", [{ $sort: {} }], 15976],
    ["a sort in no direction", [{ $sort: { a: 2 } }], 15975],
    ["a sort by a word", [{ $sort: { a: "up" } }], 15974],
    ["a group without _id", [{ $group: { n: { $sum: 1 } } }], 15955],
    ["an unknown accumulator", [{ $group: { _id: 1, n: { $nope: 1 } } }], 15952],
    ["a field of a group that is no accumulator", [{ $group: { _id: 1, n: 1 } }], 40234],
    ["an accumulator with a list", [{ $group: { _id: 1, n: { $sum: [1] } } }], 40237],
    ["inclusion in a group's key", [{ $group: { _id: { a: 1 } } }], 17390],
    ["$count with a dot", [{ $count: "a.b" }], 40160],
    ["$unwind without a dollar", [{ $unwind: "a" }], 28818],
    ["boundaries out of order", [{ $bucket: { groupBy: "$a", boundaries: [2, 1] } }], 40194],
    ["$facet in $facet", [{ $facet: { a: [{ $facet: { b: [] } }] } }], 40600],
    ["$lookup with a pipeline", [{ $lookup: { from: "a", pipeline: [], as: "b" } }], 238],
    ["$lookup without as", [{ $lookup: { from: "a", localField: "b", foreignField: "c" } }], 9],
  ])("%s", (_, pipeline, code) => {
    expect(errorOf(() => compileStages(pipeline.map(fromEjson), CONTEXT)).code).toBe(code);
  });

  test("a document that becomes no document", () => {
    expect(errorOf(() => run([{ $replaceWith: "$title" }])).code).toBe(40228);
  });

  test("two arrays in one sort", () => {
    expect(errorOf(() => run([{ $sort: { a: 1, b: 1 } }], [{ a: [1], b: [1] }])).code).toBe(2);
  });

  test("a sort beyond 100 MB, unless a limit lets it forget", () => {
    const big = docFromEjson({ text: "x".repeat(1_000_000) });
    const many = function* () {
      for (let i = 0; i < 120; i++) yield new Map([...big, ["n", new Int32(i)]]);
    };
    const sort = fromEjson({ $sort: { n: -1 } });
    const limit = fromEjson({ $limit: 2 });

    expect(errorOf(() => runStages(compileStages([sort], CONTEXT), many())).code).toBe(292);
    expect(runStages(compileStages([sort, limit], CONTEXT), many()).map((found) => found.get("n"))).toEqual([
      new Int32(119),
      new Int32(118),
    ]);
  });

  test("a group beyond 100 MB", () => {
    const stages = compileStages([fromEjson({ $group: { _id: null, all: { $push: "$text" } } })], CONTEXT);
    const many = function* () {
      for (let i = 0; i < 120; i++) yield docFromEjson({ text: "x".repeat(1_000_000) });
    };

    expect(errorOf(() => runStages(stages, many())).code).toBe(292);
  });
});

test("a sort with a limit gives the same as the whole sort cut off", () => {
  const documents = Array.from({ length: 500 }, (_, i) => ({ _id: i, a: (i * 7919) % 101, b: (i * 31) % 7 }));
  const whole = run([{ $sort: { b: 1, a: -1 } }], documents);

  for (const limit of [1, 2, 17, 250, 499, 500, 900])
    expect(shown(run([{ $sort: { b: 1, a: -1 } }, { $limit: limit }], documents))).toEqual(
      shown(whole.slice(0, limit)),
    );
});

test("stages say when no more documents are wanted", () => {
  const stages = compileStages([{ $match: { a: 1 } }, { $limit: 2 }].map(fromEjson), CONTEXT);
  const line = connectStages(stages, () => true);

  const answers = [{ a: 0 }, { a: 1 }, { a: 1 }].map((document) => line.push(docFromEjson(document)));

  expect(answers).toEqual([true, true, false]);
});

test("the list of stages is what the documentation promises", () => {
  expect([...STAGE_OPERATORS].sort()).toEqual([
    "$addFields",
    "$bucket",
    "$bucketAuto",
    "$collStats",
    "$count",
    "$documents",
    "$facet",
    "$group",
    "$limit",
    "$listLocalSessions",
    "$lookup",
    "$match",
    "$merge",
    "$out",
    "$project",
    "$replaceRoot",
    "$replaceWith",
    "$sample",
    "$set",
    "$skip",
    "$sort",
    "$sortByCount",
    "$unset",
    "$unwind",
  ]);
});
