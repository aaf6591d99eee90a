/** Filters by example. What equalities, lists, ranges and paths mean for any value is in match-model.test.ts. */
import { describe, expect, test } from "vitest";
import { compileFilter } from "../filter/match.ts";
import { present } from "../values/present.ts";
import { docFromEjson, double, errorOf, long } from "./ejson.ts";
import { drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;
/** A claim, a query, documents that match and documents that do not. */
type Row = [claim: string, query: Json, matching: Json[], others: Json[]];

function matches(query: Json, document: Json): boolean {
  return compileFilter(docFromEjson(query)).matches(docFromEjson(document));
}

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s", (_, query, matching, others) => {
      for (const document of matching) expect(document).toSatisfy((it: Json) => matches(query, it));
      for (const document of others) expect(document).toSatisfy((it: Json) => !matches(query, it));
    });
  });
}

const PATTERN = { $regularExpression: { pattern: "x", options: "" } };

specify("equality", [
  [
    "is exact beyond what a double can tell apart",
    { a: long("9007199254740993") },
    [{ a: long("9007199254740993") }],
    [{ a: double("9007199254740992") }, { a: long("9007199254740992") }],
  ],
  [
    "on a document minds the order of fields",
    { a: { x: 1, y: 2 } },
    [{ a: { x: 1, y: 2 } }, { a: [{ x: 1, y: 2 }] }],
    [{ a: { y: 2, x: 1 } }, { a: { x: 1, y: 2, z: 3 } }],
  ],
  [
    "with a document that starts with an operator's name inside is literal when a plain name comes first",
    { a: { b: 1, $gt: 2 } },
    [{ a: { b: 1, $gt: 2 } }],
    [{ a: 3 }],
  ],
  [
    "tells binary data apart by its subtype",
    { a: { $binary: { base64: "ww==", subType: "01" } } },
    [{ a: { $binary: { base64: "ww==", subType: "01" } } }],
    [{ a: { $binary: { base64: "ww==", subType: "00" } } }],
  ],
]);

specify("paths", [
  [
    "find nothing where objects stop",
    { "a.b": null },
    [{}, { a: null }, { a: 5 }, { a: { c: 1 } }, { a: [{ c: 1 }] }],
    [{ a: [] }, { a: [1, 2] }, { a: { b: 1 } }],
  ],
]);

specify("lists", [
  ["$all wants every value", { a: { $all: [1, 2] } }, [{ a: [2, 3, 1] }], [{ a: [1] }, { a: 1 }]],
  ["$all of one is equality", { a: { $all: [1] } }, [{ a: 1 }, { a: [1] }], [{ a: 2 }]],
  ["$all of nothing meets nothing", { a: { $all: [] } }, [], [{ a: [] }, {}]],
]);

specify("$elemMatch", [
  [
    "wants one element that meets everything",
    { a: { $elemMatch: { x: 1, y: 2 } } },
    [{ a: [{ x: 1, y: 2 }] }],
    [{ a: [{ x: 1 }, { y: 2 }] }, { a: { x: 1, y: 2 } }],
  ],
  [
    "judges values too",
    { a: { $elemMatch: { $gt: 3, $lt: 6 } } },
    [{ a: [1, 5] }],
    [{ a: [1, 9] }, { a: 5 }],
  ],
  [
    "negates within the element",
    { a: { $elemMatch: { $not: { $gt: 3 } } } },
    [{ a: [5, 1] }],
    [{ a: [5] }, { a: [] }],
  ],
  ["reads nested arrays by index", { a: { $elemMatch: { "0": 1 } } }, [{ a: [[1, 2]] }], [{ a: [[2, 1]] }]],
  [
    "does not unfold nested arrays for values",
    { a: { $elemMatch: { $gt: 1 } } },
    [{ a: [2] }],
    [{ a: [[2]] }],
  ],
  [
    "with nothing to meet wants a document or an array",
    { a: { $elemMatch: {} } },
    [{ a: [{}] }],
    [{ a: [1] }],
  ],
  [
    "joins with $or",
    { a: { $elemMatch: { $or: [{ x: 1 }, { y: 1 }] } } },
    [{ a: [{ y: 1 }] }],
    [{ a: [{ z: 1 }] }],
  ],
]);

specify("logic", [
  ["$and is all", { $and: [{ a: 1 }, { b: 2 }] }, [{ a: 1, b: 2 }], [{ a: 1 }]],
  ["$or is any", { $or: [{ a: 1 }, { b: 2 }] }, [{ a: 1 }, { b: 2 }], [{ a: 2, b: 1 }]],
  ["$nor is none", { $nor: [{ a: 1 }, { b: 2 }] }, [{ a: 2 }, {}], [{ a: 1 }, { b: 2 }]],
  [
    "$not holds where nothing meets the condition",
    { a: { $not: { $gt: 5 } } },
    [{ a: 3 }, {}, { a: "x" }, { a: [1, 2] }],
    [{ a: 7 }, { a: [1, 7] }],
  ],
  [
    "$not of two conditions wants both to fail together",
    { a: { $not: { $gt: 1, $lt: 5 } } },
    [{ a: 7 }, { a: 0 }],
    [{ a: 3 }],
  ],
  ["an empty query meets everything", {}, [{}, { a: 1 }], []],
  ["$expr compares fields", { $expr: { $gt: ["$a", "$b"] } }, [{ a: 2, b: 1 }], [{ a: 1, b: 2 }]],
]);

specify("kinds of values", [
  ["$exists", { a: { $exists: true } }, [{ a: null }, { a: [] }], [{}]],
  ["$exists with any untrue operand", { a: { $exists: 0 } }, [{}], [{ a: null }]],
  [
    "$exists below arrays",
    { "a.b": { $exists: false } },
    [{ a: [] }, { a: [1] }, {}],
    [{ a: [{ b: 1 }, {}] }],
  ],
  ["$size", { a: { $size: 2 } }, [{ a: [1, 2] }], [{ a: [1] }, { a: [[1, 2]] }, { a: 2 }]],
]);

specify("patterns", [
  [
    "$regex with $options",
    { a: { $regex: "A\\.B", $options: "i" } },
    [{ a: "xa.bc" }, { a: ["x", "A.Bx"] }],
    [{ a: "xaXb" }, { a: 5 }],
  ],
]);

describe("refusals", () => {
  const rows: [code: number, query: Json][] = [
    [2, { $foo: 1 }],
    [2, { $not: { a: 1 } }],
    [2, { a: { $foo: 1 } }],
    [2, { a: { $gt: 1, b: 2 } }],
    [2, { $and: [] }],
    [2, { $or: { a: 1 } }],
    [2, { $or: [1] }],
    [2, { a: { $in: 1 } }],
    [2, { a: { $in: [{ $gt: 1 }] } }],
    [2, { a: { $nin: {} } }],
    [2, { a: { $all: 1 } }],
    [2, { a: { $all: [{ $gt: 1 }] } }],
    [238, { a: { $all: [{ $elemMatch: { x: 1 } }] } }],
    [2, { a: { $elemMatch: 1 } }],
    [2, { a: { $elemMatch: { $expr: true } } }],
    [2, { a: { $not: 1 } }],
    [2, { a: { $not: {} } }],
    [2, { a: { $size: -1 } }],
    [2, { a: { $size: double("1.5") } }],
    [2, { a: { $size: "1" } }],
    [2, { a: { $regex: 1 } }],
    [2, { a: { $options: "i" } }],
    [238, { a: { $regex: "^x" } }],
    [238, { a: { $regex: "x", $options: "m" } }],
    [238, { a: { $regex: PATTERN } }],
    [238, { a: PATTERN }],
    [2, { $where: "true" }],
    [2, { $text: { $search: "x" } }],
    [2, { $comment: "why" }],
    [2, { a: { $type: "string" } }],
    [2, { a: { $ref: "c", $id: 1 } }],
    [2, { a: { $near: [0, 0] } }],
    [5729100, { [new Array(181).fill("a").join(".")]: 1 }],
  ];
  test.each(rows)("code %i for %j", (code, query) => {
    expect(errorOf(() => compileFilter(docFromEjson(query))).code).toBe(code);
  });
});

describe("what an index may use", () => {
  test("is the AND of conditions, nested or not", () => {
    const query = { a: { $gt: 1, $lte: 5 }, $and: [{ b: 2 }, { $and: [{ c: { $exists: true } }] }] };

    const filter = compileFilter(docFromEjson(query));

    expect(filter.conjuncts.map(({ path, op }) => `${path} ${op}`)).toEqual([
      "a gt",
      "a lte",
      "b eq",
      "c exists",
    ]);
    expect(filter.complete).toBe(true);
    expect(filter.orBranches).toBeUndefined();
  });

  test("is not complete beside $or, $nor and $expr", () => {
    const incomplete = [{ $or: [{ a: 1 }, { b: 1 }] }, { $nor: [{ a: 1 }] }, { $expr: "$a" }];

    for (const query of incomplete)
      expect(compileFilter(docFromEjson({ c: 1, ...query })).complete).toBe(false);
  });

  test("has the branches of $or as filters of their own", () => {
    const filter = compileFilter(docFromEjson({ $or: [{ a: 1 }, { b: { $in: [2] } }] }));

    expect(filter.orBranches?.map((branch) => branch.conjuncts.map(({ op }) => op))).toEqual([
      ["eq"],
      ["in"],
    ]);
    expect(present(filter.orBranches?.[0]).matches(docFromEjson({ a: 1 }))).toBe(true);
  });

  test("names the fields it reads, unless it reads all", () => {
    const fields = (query: Json) => compileFilter(docFromEjson(query)).fields;

    expect([...present(fields({ "a.b": 1, $or: [{ c: 1 }, { d: { $elemMatch: { e: 1 } } }] }))]).toEqual([
      "a",
      "c",
      "d",
    ]);
    expect(fields({ a: 1, $expr: "$b" })).toBeUndefined();
  });
});

describe("the position for the positional operator", () => {
  const rows: [claim: string, query: Json, document: Json, index: number | undefined][] = [
    ["is the element that met the condition", { a: 5 }, { a: [4, 5, 6] }, 1],
    ["is the outermost array passed through", { "a.b": 2 }, { a: [{ b: [9] }, { b: [1, 2] }] }, 1],
    ["is the element of $elemMatch", { a: { $elemMatch: { x: 1 } } }, { a: [{}, { x: 1 }] }, 1],
    ["is that of the last condition that met an array", { a: 1, b: 2 }, { a: [1], b: [0, 0, 2] }, 2],
    ["is not there without an array", { a: 5 }, { a: 5 }, undefined],
    ["is not there for an index in the path", { "a.1": 5 }, { a: [4, 5] }, undefined],
    ["is not there for a whole array", { a: [4, 5] }, { a: [4, 5] }, undefined],
    ["is not there for a negation", { a: { $ne: 1 } }, { a: [4, 5] }, undefined],
    ["is not there when the query does not match", { a: 5, b: 1 }, { a: [5] }, undefined],
    ["is not there for an $or", { $or: [{ a: 5 }, { b: 1 }] }, { a: [4, 5] }, undefined],
  ];
  test.each(rows)("%s", (_, query, document, index) => {
    expect(compileFilter(docFromEjson(query)).position(docFromEjson(document))).toBe(index);
  });
});
