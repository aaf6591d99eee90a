/** Filters against a plain model: list every value a path stands for, then ask about each. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFilter } from "../filter/match.ts";
import { decode, encode } from "../values/bson.ts";
import { present } from "../values/present.ts";
import { compareValues, type Doc, isNumber, toNumber, typeOrder, type Value } from "../values/values.ts";
import { scalar, value } from "./arbitrary.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Found = Value | undefined;

/** The values under a path, `undefined` for a place without one. */
function under(holder: Doc, parts: string[]): Found[] {
  const [first, ...below] = parts;
  const next = holder.get(present(first));
  if (below.length === 0) return Array.isArray(next) ? [...next, next] : [next];
  if (next instanceof Map) return under(next, below);
  return Array.isArray(next) ? throughArray(next, below) : [undefined];
}

function throughArray(array: Value[], parts: string[]): Found[] {
  const [first, ...below] = parts;
  return array.flatMap((item, index) => {
    const fields = item instanceof Map ? under(item, parts) : [];
    if (String(index) !== first) return fields;
    if (below.length === 0) return [...fields, item];
    if (item instanceof Map) return [...fields, ...under(item, below)];
    return Array.isArray(item) ? throughArray(item, below) : fields;
  });
}

const isNothing = (value: Found) => value === undefined || value === null;
const isNaNumber = (value: Found) => isNumber(value) && Number.isNaN(toNumber(value));

function isEqual(value: Found, operand: Value): boolean {
  return operand === null ? isNothing(value) : value !== undefined && compareValues(value, operand) === 0;
}

const ORDERS = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
};

function isWithin(operator: keyof typeof ORDERS, value: Found, operand: Value): boolean {
  const holds = ORDERS[operator];
  if (operand === null) return holds(0) && isNothing(value);
  if (value === undefined || typeOrder(value) !== typeOrder(operand)) return false;
  if (isNaNumber(value) || isNaNumber(operand)) return holds(0) && isNaNumber(value) && isNaNumber(operand);
  return holds(compareValues(value, operand));
}

const name = fc.constantFrom("a", "b", "0", "1");
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const tree: fc.Arbitrary<Value> = fc.letrec<{ node: Value }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie("node")), { maxLength: 3 }).map((fields): Doc => new Map(fields)),
  ),
})).node;
const document = fc.array(fc.tuple(name, tree), { maxLength: 3 }).map((fields): Doc => new Map(fields));
const operand = fc.oneof(scalar, value);

const query = (path: string[], operator: string, wanted: Value): Doc =>
  new Map([[path.join("."), new Map([[operator, wanted]])]]);

/** Half of the time an operand that is really there, so that something matches. */
const posed = fc
  .tuple(document, path, operand, fc.boolean(), fc.nat())
  .map(([holder, path, other, real, pick]) => {
    const values = under(holder, path).flatMap((it) => (it === undefined || isNothing(it) ? [] : [it]));
    return {
      holder,
      at: path,
      wanted: real && values.length > 0 ? present(values[pick % values.length]) : other,
    };
  });

describe("filters behave like their model", () => {
  test("$eq and $ne", () => {
    fc.assert(
      fc.property(posed, ({ holder, at: path, wanted }) => {
        const want = under(holder, path).some((value) => isEqual(value, wanted));

        expect(compileFilter(query(path, "$eq", wanted)).matches(holder)).toBe(want);
        expect(compileFilter(query(path, "$ne", wanted)).matches(holder)).toBe(!want);
      }),
      countRuns(1000),
    );
  });

  test("$in is any equality and $nin none", () => {
    fc.assert(
      fc.property(posed, fc.array(operand, { maxLength: 4 }), ({ holder, at: path, wanted }, others) => {
        const all = [...others, wanted];
        const want = under(holder, path).some((value) => all.some((operand) => isEqual(value, operand)));

        expect(compileFilter(query(path, "$in", all)).matches(holder)).toBe(want);
        expect(compileFilter(query(path, "$nin", all)).matches(holder)).toBe(!want);
      }),
      countRuns(500),
    );
  });

  test.each(Object.keys(ORDERS) as (keyof typeof ORDERS)[])("%s", (operator) => {
    fc.assert(
      fc.property(posed, ({ holder, at: path, wanted }) => {
        const want = under(holder, path).some((value) => isWithin(operator, value, wanted));

        expect(compileFilter(query(path, operator, wanted)).matches(holder)).toBe(want);
      }),
      countRuns(500),
    );
  });
});

describe("a filter", () => {
  const condition = posed.chain(({ holder, at: path, wanted }) =>
    fc
      .constantFrom("$eq", "$gt", "$lte", "$ne")
      .map((operator) => ({ holder, one: query(path, operator, wanted) })),
  );

  test("and its negation never agree", () => {
    fc.assert(
      fc.property(condition, ({ holder, one: operand }) => {
        const nor: Doc = new Map([["$nor", [operand]]]);

        expect(compileFilter(nor).matches(holder)).toBe(!compileFilter(operand).matches(holder));
      }),
    );
  });

  test("of several conditions holds when each of its conjuncts does", () => {
    fc.assert(
      fc.property(condition, condition, ({ holder, one: operand }, { one: other }) => {
        const filter = compileFilter(new Map([["$and", [operand, other]]]));
        const each = [operand, other].every((query) => compileFilter(query).matches(holder));

        expect(filter.complete).toBe(true);
        expect(filter.conjuncts).toHaveLength(2);
        expect(filter.matches(holder)).toBe(each);
      }),
    );
  });

  test("needs no more of a document than the fields it names", () => {
    fc.assert(
      fc.property(condition, ({ holder, one: operand }) => {
        const filter = compileFilter(operand);
        const read = decode(encode(holder), 0, filter.fields);

        expect(filter.matches(read)).toBe(filter.matches(holder));
      }),
    );
  });
});
