/** Update operators against plain JavaScript that says the same in another way. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileUpdate } from "../update/update.ts";
import { encode } from "../values/bson.ts";
import { present } from "../values/present.ts";
import {
  compareValues,
  type Doc,
  Int32,
  isEqual,
  isNumber,
  type NumberValue,
  toNumber,
  type Value,
} from "../values/values.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const int = fc.integer({ min: -2147483648, max: 2147483647 }).map((value) => new Int32(value));
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const double = fc.double();
const number: fc.Arbitrary<NumberValue> = fc.oneof(int, long, double);
const small = fc.integer({ min: -3, max: 3 }).map((value) => new Int32(value));
const scalar: fc.Arbitrary<Value> = fc.oneof(
  small,
  double,
  fc.constantFrom("", "a", "b"),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom("x", "y"), scalar).map((it): Doc => new Map(Object.entries(it))),
  },
);
const list = fc.array(value, { maxLength: 6 });

function apply(field: Value | undefined, operator: string, operand: Value): Value | undefined {
  const document: Doc = new Map([["_id", new Int32(1)]]);
  if (field !== undefined) document.set("a", field);
  const before = encode(document);
  const update = compileUpdate(new Map([[operator, new Map([["a", operand]])]]));
  const after = update.apply(document, { insert: false });
  expect(encode(document).equals(before)).toBe(true);
  return after.get("a");
}

function expectIdentical(got: Value | undefined, want: Value | undefined): void {
  const bytes = (it: Value | undefined) =>
    it === undefined ? "nothing" : encode(new Map([["", it]])).toString("hex");
  expect(bytes(got)).toBe(bytes(want));
}

function integer(value: Int32 | bigint): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

/** Integers stay integers as long as they fit; a double makes a double, whose zero keeps its sign. */
function modelSum(a: NumberValue, b: NumberValue): NumberValue | "overflow" {
  if (typeof a === "number" || typeof b === "number") {
    const result = toNumber(a) + toNumber(b);
    return result === a ? a : result;
  }
  const result = integer(a) + integer(b);
  if (a instanceof Int32 && b instanceof Int32 && BigInt.asIntN(32, result) === result)
    return new Int32(Number(result));
  return BigInt.asIntN(64, result) === result ? result : "overflow";
}

describe("update operators behave like their model", () => {
  test("$inc", () => {
    fc.assert(
      fc.property(number, number, (field, operand) => {
        const want = modelSum(field, operand);
        if (want === "overflow")
          expect(() => apply(field, "$inc", operand)).toThrow(expect.objectContaining({ code: 2 }));
        else expectIdentical(apply(field, "$inc", operand), want);
      }),
    );
  });

  test("$min and $max keep the extreme of all values seen", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const fold = (operator: string) =>
          values.reduce<Value | undefined>(
            (field, operand) => apply(field, operator, operand),
            undefined,
          ) as Value;
        const sorted = values.toSorted(compareValues);

        expect(compareValues(fold("$min"), present(sorted[0]))).toBe(0);
        expect(compareValues(fold("$max"), present(sorted[sorted.length - 1]))).toBe(0);
      }),
    );
  });

  test("$push with every clause", () => {
    fc.assert(
      fc.property(
        fc.option(list, { nil: undefined }),
        list,
        fc.option(small, { nil: undefined }),
        (field, each, slice) => {
          const spec: Doc = new Map<string, Value>([["$each", each]]);
          if (slice) spec.set("$slice", slice);
          const model = [...(field ?? []), ...each];
          if (slice && slice.value >= 0) model.length = Math.min(model.length, slice.value);
          if (slice && slice.value < 0) model.splice(0, Math.max(0, model.length + slice.value));

          expectIdentical(apply(field, "$push", spec), model);
        },
      ),
    );
  });

  test("$addToSet adds each new value once, in order", () => {
    fc.assert(
      fc.property(fc.option(list, { nil: undefined }), list, (field, each) => {
        const model = [...(field ?? [])];
        for (const value of each) if (!model.some((item) => isEqual(item, value))) model.push(value);

        expectIdentical(apply(field, "$addToSet", new Map([["$each", each]])), model);
      }),
    );
  });

  test("$pull with $in leaves what is not named", () => {
    fc.assert(
      fc.property(list, fc.array(scalar, { maxLength: 4 }), (field, unwanted) => {
        const meant = (item: Value) =>
          unwanted.some(
            (value) =>
              isEqual(item, value) || (Array.isArray(item) && item.some((inner) => isEqual(inner, value))),
          );
        expectIdentical(
          apply(field, "$pull", new Map([["$in", unwanted]])),
          field.filter((item) => !meant(item)),
        );
      }),
    );
  });
});

describe("paths behave like their model", () => {
  const part = fc.constantFrom("a", "b", "0", "2");
  const path = fc.array(part, { minLength: 1, maxLength: 4 });
  const tree: fc.Arbitrary<Value> = fc.letrec<{ node: Value }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      small,
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(part, tie("node"), { maxKeys: 3 }).map((it): Doc => new Map(Object.entries(it))),
    ),
  })).node;
  const document = fc
    .dictionary(part, tree)
    .map((fields): Doc => new Map<string, Value>([["_id", new Int32(1)], ...Object.entries(fields)]));

  /** A deep copy with the value at the path; undefined where the path leads nowhere. */
  function placed(holder: Value | undefined, parts: string[], leaf: Value): Value | undefined {
    if (parts.length === 0) return leaf;
    const [first = "", ...below] = parts;
    if (holder === undefined) return new Map([[first, placed(undefined, below, leaf) as Value]]);
    if (holder instanceof Map) {
      const child = placed(holder.get(first), below, leaf);
      return child === undefined ? undefined : new Map([...holder, [first, child]]);
    }
    if (!Array.isArray(holder) || !/^\d+$/.test(first)) return undefined;
    const child = placed(holder[Number(first)], below, leaf);
    if (child === undefined) return undefined;
    const items = [...holder];
    while (items.length < Number(first)) items.push(null);
    items[Number(first)] = child;
    return items;
  }

  function reached(holder: Value | undefined, parts: string[]): Value | undefined {
    if (parts.length === 0) return holder;
    const [first = "", ...below] = parts;
    if (holder instanceof Map) return reached(holder.get(first), below);
    return Array.isArray(holder) ? reached(holder[Number(first)], below) : undefined;
  }

  const run = (before: Doc, operator: string, path: string[], operand: Value) =>
    compileUpdate(new Map([[operator, new Map([[path.join("."), operand]])]])).apply(before, {
      insert: false,
    });

  test("$set puts a value where the path leads, or is refused", () => {
    fc.assert(
      fc.property(document, path, scalar, (before, path, leaf) => {
        const want = placed(before, path, leaf);
        if (want === undefined)
          expect(() => run(before, "$set", path, leaf)).toThrow(expect.objectContaining({ code: 28 }));
        else expectIdentical(run(before, "$set", path, leaf), want);
      }),
    );
  });

  test("$unset undoes a $set of a new field", () => {
    fc.assert(
      fc.property(document, path, scalar, (before, path, leaf) => {
        fc.pre(
          placed(before, path, leaf) !== undefined &&
            reached(before, path.slice(0, -1)) instanceof Map &&
            reached(before, path) === undefined,
        );

        expectIdentical(run(run(before, "$set", path, leaf), "$unset", path, ""), before);
      }),
    );
  });

  test("$inc by nothing changes nothing that is a number", () => {
    fc.assert(
      fc.property(document, path, (before, path) => {
        fc.pre(isNumber(reached(before, path)));

        expectIdentical(run(before, "$inc", path, new Int32(0)), before);
      }),
    );
  });
});
