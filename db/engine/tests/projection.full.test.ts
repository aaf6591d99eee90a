import { describe, expect, test } from "vitest";
import { compileProjection } from "../search/projection.ts";
import { present } from "../values/present.ts";
import type { Doc } from "../values/values.ts";
import { docFromEjson, errorOf, shown } from "./ejson.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Json = Record<string, unknown>;

const GIVEN: Json = {
  _id: 1,
  a: 1,
  list: [1, 2, 3, 4, 5],
  docs: [{ k: 1, v: ["x", "y"] }, { k: 2, v: ["z"] }, 7],
  sub: { p: 1, q: { r: 2 } },
};

function project(spec: Json): Doc {
  return compileProjection(docFromEjson(spec)).apply(docFromEjson(GIVEN));
}

type Row = [claim: string, spec: Json, want: Json];

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(rows)("%s: %j", (_, spec, want) => {
      expect(shown(project(spec))).toBe(shown(docFromEjson(want)));
    });
  });
}

const { list: _list, ...WITHOUT_LIST } = GIVEN;

specify("inclusion and exclusion", [
  ["nothing asked for gives everything", {}, GIVEN],
  [
    "fields come in the order of the document, _id with them",
    { sub: 1, a: 1 },
    { _id: 1, a: 1, sub: { p: 1, q: { r: 2 } } },
  ],
  ["_id goes on demand", { a: 1, _id: 0 }, { a: 1 }],
  ["_id alone", { _id: 1 }, { _id: 1 }],
  ["_id alone left out", { _id: 0, list: 0, docs: 0, sub: 0 }, { a: 1 }],
  ["exclusion", { list: 0 }, WITHOUT_LIST],
  ["dotted inclusion", { "sub.q.r": 1 }, { _id: 1, sub: { q: { r: 2 } } }],
  ["nested inclusion", { sub: { p: true } }, { _id: 1, sub: { p: 1 } }],
  [
    "inclusion through an array drops what is no document",
    { "docs.k": 1 },
    { _id: 1, docs: [{ k: 1 }, { k: 2 }] },
  ],
  [
    "exclusion through an array keeps it",
    { "docs.v": 0, list: 0, sub: 0, a: 0 },
    { _id: 1, docs: [{ k: 1 }, { k: 2 }, 7] },
  ],
]);

specify("expressions and literals", [
  ["a path", { b: "$a" }, { _id: 1, b: 1 }],
  ["an operator", { n: { $size: "$list" }, a: 1 }, { _id: 1, a: 1, n: 5 }],
  ["a string", { s: "text" }, { _id: 1, s: "text" }],
]);

specify("$slice", [
  [
    "the first ones, everything else kept",
    { list: { $slice: 2 }, docs: 0, sub: 0 },
    { _id: 1, a: 1, list: [1, 2] },
  ],
  ["the last ones", { list: { $slice: -2 }, a: 1 }, { _id: 1, a: 1, list: [4, 5] }],
  [
    "in the documents of an array",
    { "docs.v": { $slice: 1 }, a: 1 },
    { _id: 1, a: 1, docs: [{ v: ["x"] }, { v: ["z"] }] },
  ],
  ["of what is no array changes nothing", { a: { $slice: 1 }, list: 0, docs: 0, sub: 0 }, { _id: 1, a: 1 }],
  ["alone keeps all", { list: { $slice: 1 } }, { ...GIVEN, list: [1] }],
  ["with _id includes nothing else", { list: { $slice: 1 }, _id: 1 }, { _id: 1, list: [1] }],
  ["as an expression", { list: { $slice: ["$list", 2] } }, { _id: 1, list: [1, 2] }],
]);

type Refusal = [claim: string, spec: Json, code: number];

test.each<Refusal>([
  ["inclusion in an exclusion", { a: 0, b: 1 }, 31253],
  ["exclusion in an inclusion", { a: 1, b: 0 }, 31254],
  ["an expression in an exclusion", { a: 0, b: { $add: [1] } }, 31252],
  ["a literal in an exclusion", { a: 0, b: "x" }, 31310],
  ["a path and one below it", { "a.b": 1, a: 1 }, 31250],
  ["an empty sub-projection", { a: {} }, 51270],
  ["an unknown expression", { a: { $nope: 1 } }, 31325],
  ["a positional operator", { "a.$": 1 }, 238],
  ["a positional operator in the middle", { "a.$.b": 1 }, 238],
  ["$elemMatch", { a: { $elemMatch: { b: 1 } } }, 238],
  ["$slice with a start", { a: { $slice: [1, 2] } }, 238],
  ["$slice of a word", { a: { $slice: "x" } }, 16020],
])("%s is refused", (_, spec, code) => {
  expect(errorOf(() => compileProjection(docFromEjson(spec))).code).toBe(code);
});

test.each<[claim: string, spec: Json, needs: string[] | undefined]>([
  ["a pure inclusion", { a: 1, "sub.p": 1 }, ["_id", "a", "sub"]],
  ["an inclusion without _id", { a: 1, _id: 0 }, ["_id", "a"]],
  ["an inclusion with $slice", { list: { $slice: 1 }, a: 1 }, ["_id", "a", "list"]],
  ["an exclusion", { a: 0 }, undefined],
  ["$slice alone", { list: { $slice: 1 } }, undefined],
  ["an expression", { b: "$a" }, undefined],
  ["an expression below a field", { "sub.z": { $add: ["$a", 1] }, a: 1 }, undefined],
  ["nothing", {}, undefined],
])("%s says which fields it reads", (_, spec, needs) => {
  const projection = compileProjection(docFromEjson(spec));

  expect(projection.needs && [...projection.needs].sort()).toEqual(needs);
});

test("what a pure inclusion needs is enough for it", () => {
  const spec = docFromEjson({ "docs.k": 1, list: { $slice: 2 }, "sub.q": 1 });
  const projection = compileProjection(spec);
  const document = docFromEjson(GIVEN);

  const readFields: Doc = new Map([...document].filter(([name]) => present(projection.needs).has(name)));

  expect(readFields.size).toBeLessThan(document.size);
  expect(shown(projection.apply(readFields))).toBe(shown(projection.apply(document)));
});
