/** Random BSON values and documents for property tests: small, with many collisions and every awkward corner. */
import fc from "fast-check";
import { Binary, type Doc, Int32, ObjectId, UtcDate, type Value } from "../values/values.ts";

const SPECIAL_DOUBLES = [
  0,
  -0,
  1,
  1.5,
  -1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  1e300,
  -1e300,
  Infinity,
  -Infinity,
  NaN,
  5e-324,
];
const SPECIAL_LONGS = [
  0n,
  1n,
  -1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

const text = fc.oneof(
  fc.constantFrom("", "a", "b", "ab", "a\0", "a\0b", "\0", "\u{10000}", "\uffff", "\ud7ff", "שלום", "é"),
  fc.string({ maxLength: 4, unit: "binary" }),
);

const numbers = fc.oneof(
  fc.constantFrom(...SPECIAL_DOUBLES),
  fc.constantFrom(...SPECIAL_LONGS),
  fc.integer({ min: -3, max: 3 }).map((value) => new Int32(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double(),
);

const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((array) => Buffer.from(array));

export const scalar: fc.Arbitrary<Value> = fc.oneof(
  numbers,
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }).map((ms) => new UtcDate(BigInt(ms))),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((array) => new ObjectId(Buffer.from(array))),
  fc.tuple(fc.constantFrom(0, 4), bytes(3)).map(([subtype, content]) => new Binary(subtype, content)),
);

const name = fc.constantFrom("a", "b", "0", "10", "");

export const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value; list: Value[]; doc: Doc }>((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("list"), tie("doc")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  doc: fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((fields): Doc => new Map(fields)),
})).value;

/** Values that collide often, so that equalities and ranges find something. */
export const commonValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 5 }).map((number): Value => new Int32(number)) },
  { weight: 2, arbitrary: fc.constantFrom<Value[]>("x", "xy", "y", "שלום") },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Value[]>(null, true, 2.5, 3n, NaN, new UtcDate(5n), []),
  },
  { weight: 1, arbitrary: scalar },
);
