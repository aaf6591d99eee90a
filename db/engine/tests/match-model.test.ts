/** Filters against a plain model: list every value a path stands for, then ask about each. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFilter } from "../filter/match.ts";
import { decode, encode } from "../values/bson.ts";
import { present } from "../values/present.ts";
import { compare, type Doc, isNumber, toNumber, typeOrder, type Value } from "../values/values.ts";
import { scalar, value } from "./arbitrary.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Found = Value | undefined;

/** The values under a path, `undefined` for a place without one. */
function under(holder: Doc, parts: string[]): Found[] {
  const [first, ...rest] = parts;
  const next = holder.get(present(first));
  if (rest.length === 0) return Array.isArray(next) ? [...next, next] : [next];
  if (next instanceof Map) return under(next, rest);
  return Array.isArray(next) ? throughArray(next, rest) : [undefined];
}

function throughArray(array: Value[], parts: string[]): Found[] {
  const [first, ...rest] = parts;
  return array.flatMap((item, index) => {
    const named = item instanceof Map ? under(item, parts) : [];
    if (String(index) !== first) return named;
    if (rest.length === 0) return [...named, item];
    if (item instanceof Map) return [...named, ...under(item, rest)];
    return Array.isArray(item) ? throughArray(item, rest) : named;
  });
}

const isNothing = (found: Found) => found === undefined || found === null;
const isNaNumber = (found: Found) => isNumber(found) && Number.isNaN(toNumber(found));

function isEqual(found: Found, operand: Value): boolean {
  return operand === null ? isNothing(found) : found !== undefined && compare(found, operand) === 0;
}

const ORDERS = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
};

function isWithin(operator: keyof typeof ORDERS, found: Found, operand: Value): boolean {
  const holds = ORDERS[operator];
  if (operand === null) return holds(0) && isNothing(found);
  if (found === undefined || typeOrder(found) !== typeOrder(operand)) return false;
  if (isNaNumber(found) || isNaNumber(operand)) return holds(0) && isNaNumber(found) && isNaNumber(operand);
  return holds(compare(found, operand));
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

const query = (at: string[], operator: string, wanted: Value): Doc =>
  new Map([[at.join("."), new Map([[operator, wanted]])]]);

/** Half of the time an operand that is really there, so that something matches. */
const posed = fc
  .tuple(document, path, operand, fc.boolean(), fc.nat())
  .map(([holder, at, other, real, pick]) => {
    const there = under(holder, at).flatMap((it) => (it === undefined || isNothing(it) ? [] : [it]));
    return { holder, at, wanted: real && there.length > 0 ? present(there[pick % there.length]) : other };
  });

describe("filters behave like their model", () => {
  test("$eq and $ne", () => {
    fc.assert(
      fc.property(posed, ({ holder, at, wanted }) => {
        const want = under(holder, at).some((found) => isEqual(found, wanted));

        expect(compileFilter(query(at, "$eq", wanted)).matches(holder)).toBe(want);
        expect(compileFilter(query(at, "$ne", wanted)).matches(holder)).toBe(!want);
      }),
      countRuns(1000),
    );
  });

  test("$in is any equality and $nin none", () => {
    fc.assert(
      fc.property(posed, fc.array(operand, { maxLength: 4 }), ({ holder, at, wanted }, others) => {
        const all = [...others, wanted];
        const want = under(holder, at).some((found) => all.some((one) => isEqual(found, one)));

        expect(compileFilter(query(at, "$in", all)).matches(holder)).toBe(want);
        expect(compileFilter(query(at, "$nin", all)).matches(holder)).toBe(!want);
      }),
      countRuns(500),
    );
  });

  test.each(Object.keys(ORDERS) as (keyof typeof ORDERS)[])("%s", (operator) => {
    fc.assert(
      fc.property(posed, ({ holder, at, wanted }) => {
        const want = under(holder, at).some((found) => isWithin(operator, found, wanted));

        expect(compileFilter(query(at, operator, wanted)).matches(holder)).toBe(want);
      }),
      countRuns(500),
    );
  });
});

describe("a filter", () => {
  const condition = posed.chain(({ holder, at, wanted }) =>
    fc
      .constantFrom("$eq", "$gt", "$lte", "$ne")
      .map((operator) => ({ holder, one: query(at, operator, wanted) })),
  );

  test("and its negation never agree", () => {
    fc.assert(
      fc.property(condition, ({ holder, one }) => {
        const nor: Doc = new Map([["$nor", [one]]]);

        expect(compileFilter(nor).matches(holder)).toBe(!compileFilter(one).matches(holder));
      }),
    );
  });

  test("of several conditions holds when each of its conjuncts does", () => {
    fc.assert(
      fc.property(condition, condition, ({ holder, one }, { one: other }) => {
        const filter = compileFilter(new Map([["$and", [one, other]]]));
        const each = [one, other].every((query) => compileFilter(query).matches(holder));

        expect(filter.complete).toBe(true);
        expect(filter.conjuncts).toHaveLength(2);
        expect(filter.matches(holder)).toBe(each);
      }),
    );
  });

  test("needs no more of a document than the fields it names", () => {
    fc.assert(
      fc.property(condition, ({ holder, one }) => {
        const filter = compileFilter(one);
        const part = decode(encode(holder), 0, filter.fields);

        expect(filter.matches(part)).toBe(filter.matches(holder));
      }),
    );
  });
});
