import { describe, expect, test } from "vitest";
import { compileStages, connectStages } from "../aggregate/aggregate.ts";
import type { PipelineContext, Stage } from "../aggregate/stage.ts";
import { type Doc, Int32 } from "../values/values.ts";
import { docFromEjson, double, errorOf, fromEjson, long, shown } from "./ejson.ts";
import { drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;

const CONTEXT: PipelineContext = { checkTime: () => {} };

const BOOKS: Json[] = [
  { _id: 1, title: "A", price: 10, tags: ["x", "y"], author: 10, at: { year: 2020 } },
  { _id: 2, title: "B", price: 20, tags: [], author: 11, at: { year: 2021 } },
  { _id: 3, title: "C", price: 30, tags: ["x"], author: 10, at: { year: 2020 } },
  { _id: 4, title: "D", tags: null, author: 99 },
];

function runStages(stages: Stage[], documents: Iterable<Doc>): Doc[] {
  const out: Doc[] = [];
  const line = connectStages(stages, (document) => out.push(document) > 0);
  for (const document of documents) if (!line.push(document)) break;
  line.finish();
  return out;
}

function run(pipeline: Json[], documents: Json[] = BOOKS): Doc[] {
  return runStages(compileStages(pipeline.map(fromEjson), CONTEXT), documents.map(docFromEjson));
}

type Row = [claim: string, pipeline: Json[], want: Json[], documents?: Json[]];

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s", (_, pipeline, want, documents) => {
      expect(run(pipeline, documents).map(shown)).toEqual(
        want.map((document) => shown(docFromEjson(document))),
      );
    });
  });
}

const ids = { $project: { _id: 1 } };

const A = [{ _id: 1, a: { b: 1, c: 2 }, d: [{ e: 1, f: 2 }, 3, [{ e: 4 }]] }];

specify("$project", [
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
  ["may keep _id in an exclusion", [{ $project: { _id: 1, d: 0 } }], [{ _id: 1, a: { b: 1, c: 2 } }], A],
]);

specify("$set", [
  [
    "a new field comes last, an old one keeps its place",
    [{ $set: { n: 1, a: 5 } }],
    [{ _id: 1, a: 5, d: 1, n: 1 }],
    [{ _id: 1, a: 1, d: 1 }],
  ],
  [
    "nested fields keep their neighbours",
    [{ $set: { "a.z": 1 } }],
    [{ _id: 1, a: { b: 1, z: 1 } }],
    [{ _id: 1, a: { b: 1 } }],
  ],
  [
    "a scalar gives way to a document",
    [{ $set: { "a.z": 1 } }],
    [{ _id: 1, a: { z: 1 } }],
    [{ _id: 1, a: 7 }],
  ],
  [
    "every element of an array is changed",
    [{ $set: { "a.z": 1 } }],
    [{ _id: 1, a: [{ b: 1, z: 1 }, { z: 1 }] }],
    [{ _id: 1, a: [{ b: 1 }, 2] }],
  ],
  [
    "all expressions see the old document",
    [{ $set: { a: "$b", b: "$a" } }],
    [{ _id: 1, a: 2, b: 1 }],
    [{ _id: 1, a: 1, b: 2 }],
  ],
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
    "keeps the order of equals",
    [{ $sort: { author: 1 } }, ids],
    [{ _id: 1 }, { _id: 3 }, { _id: 2 }, { _id: 4 }],
  ],
  ["with $limit gives the first", [{ $sort: { price: -1 } }, { $limit: 2 }, ids], [{ _id: 3 }, { _id: 2 }]],
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
    "sums what is a number, and keeps the first of documents",
    [{ $group: { _id: null, sum: { $sum: "$v" }, first: { $first: "$k" } } }],
    [{ _id: null, sum: 12.5, first: 1 }],
    NUMBERS,
  ],
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
    [{ $group: { _id: { k: "$k", z: "z" }, n: { $sum: 1 } } }],
    [
      { _id: { k: 1, z: "z" }, n: 3 },
      { _id: { k: null, z: "z" }, n: 1 },
      { _id: { z: "z" }, n: 1 },
    ],
    NUMBERS,
  ],
  [
    "takes missing for null in a key of one part",
    [{ $group: { _id: { k: "$k" }, n: { $sum: 1 } } }],
    [
      { _id: { k: 1 }, n: 3 },
      { _id: { k: null }, n: 2 },
    ],
    NUMBERS,
  ],
  [
    "$push leaves missing out",
    [{ $group: { _id: null, prices: { $push: "$price" } } }],
    [{ _id: null, prices: [10, 20, 30] }],
  ],
  ["of nothing gives nothing", [{ $group: { _id: null, n: { $sum: 1 } } }], [], []],
]);

type Refusal = [claim: string, pipeline: unknown[], code: number];

describe("refusals", () => {
  test.each<Refusal>([
    ["an unknown stage", [{ $nope: 1 }], 40324],
    ["a stage with two names", [{ $match: {}, $limit: 1 }], 40323],
    ["a stage that is no object", [1], 14],
    ["a limit of zero", [{ $limit: 0 }], 15958],
    ["a negative limit", [{ $limit: -1 }], 5107201],
    ["an empty $project", [{ $project: {} }], 51272],
    ["a path twice", [{ $project: { a: 1, "a.b": 1 } }], 31249],
    ["an unknown expression below one", [{ $project: { a: { $add: [{ $nope: 1 }] } } }], 168],
    ["an unknown expression in $set", [{ $set: { a: { $nope: 1 } } }], 168],
    ["conflicting paths in $set", [{ $set: { a: 1, "a.b": 1 } }], 40176],
    ["$unwind with options", [{ $unwind: { path: "$a", includeArrayIndex: "i" } }], 238],
    ["a sort without keys", [{ $sort: {} }], 15976],
    ["a sort in no direction", [{ $sort: { a: 2 } }], 15975],
    ["a sort by a word", [{ $sort: { a: "up" } }], 15974],
    ["a group without _id", [{ $group: { n: { $sum: 1 } } }], 15955],
    ["an unknown accumulator", [{ $group: { _id: 1, n: { $nope: 1 } } }], 15952],
    ["a field of a group that is no accumulator", [{ $group: { _id: 1, n: 1 } }], 40234],
    ["an accumulator with a list", [{ $group: { _id: 1, n: { $sum: [1] } } }], 40237],
    ["inclusion in a group's key", [{ $group: { _id: { a: 1 } } }], 17390],
    ["$unwind without a dollar", [{ $unwind: "a" }], 28818],
  ])("%s", (_, pipeline, code) => {
    expect(errorOf(() => compileStages(pipeline.map(fromEjson), CONTEXT)).code).toBe(code);
  });

  test("a sort beyond 100 MB", () => {
    const big = docFromEjson({ text: "x".repeat(1_000_000) });
    const many = function* () {
      for (let i = 0; i < 120; i++) yield new Map([...big, ["n", new Int32(i)]]);
    };
    const sort = fromEjson({ $sort: { n: -1 } });

    expect(errorOf(() => runStages(compileStages([sort], CONTEXT), many())).code).toBe(292);
  });

  test("a group beyond 100 MB", () => {
    const stages = compileStages([fromEjson({ $group: { _id: null, all: { $push: "$text" } } })], CONTEXT);
    const many = function* () {
      for (let i = 0; i < 120; i++) yield docFromEjson({ text: "x".repeat(1_000_000) });
    };

    expect(errorOf(() => runStages(stages, many())).code).toBe(292);
  });
});

test("stages say when no more documents are wanted", () => {
  const stages = compileStages([{ $match: { a: 1 } }, { $limit: 2 }].map(fromEjson), CONTEXT);
  const line = connectStages(stages, () => true);

  const answers = [{ a: 0 }, { a: 1 }, { a: 1 }].map((document) => line.push(docFromEjson(document)));

  expect(answers).toEqual([true, true, false]);
});
