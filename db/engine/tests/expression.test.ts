import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression, createScope, EXPRESSION_OPERATORS } from "../expression/expression.ts";
import { encode } from "../values/bson.ts";
import { EngineError } from "../values/errors.ts";
import type { Value } from "../values/values.ts";
import { value as anyValue } from "./arbitrary.ts";
import { docFromEjson, double, errorOf, fromEjson, long, shown } from "./ejson.ts";
import { drawRows } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

type Json = unknown;

const date = (text: string) => ({ $date: { $numberLong: String(Date.parse(text)) } });
const literal = (value: Json) => ({ $literal: value });
const MISSING = Symbol("missing");

const GIVEN = docFromEjson({
  _id: { $oid: "639926cee6bda3127f153bf1" },
  int: 7,
  big: 2147483647,
  long: long("9223372036854775807"),
  half: 2.5,
  text: "Hello",
  heart: "I ❤️ é",
  flag: true,
  nothing: null,
  empty: [],
  list: [3, 1, 2],
  docs: [{ a: 1, b: 2 }, { a: 2 }, 5, [{ a: 9 }]],
  nested: { a: { b: "deep" } },
  when: date("2024-02-29T23:30:15.250Z"),
});

const shownValue = (value: Value | undefined) =>
  value === undefined ? "missing" : shown(new Map([["value", value]]));

function evaluate(expression: Json): Value | undefined {
  return compileExpression(fromEjson(expression))(createScope(GIVEN));
}

type Row = [claim: string, expression: Json, want: Json];

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s: %j", (_, expression, want) => {
      expect(shownValue(evaluate(expression))).toBe(
        shownValue(want === MISSING ? undefined : fromEjson(want)),
      );
    });
  });
}

specify("paths and literals", [
  ["a path reads a field", "$int", 7],
  ["a path through documents", "$nested.a.b", "deep"],
  ["a path through an array gives what its documents have", "$docs.a", [1, 2]],
  ["a number is no index into an array", "$list.0", []],
  ["what is not there is missing", "$no.where", MISSING],
  ["a path below a scalar is missing", "$int.a", MISSING],
  ["an object computes its fields", { a: "$int", b: "$no" }, { a: 7 }],
  ["an array keeps a place for what is missing", ["$int", "$no"], [7, null]],
  ["$literal is not looked into", literal({ $add: ["$int"] }), { $add: ["$int"] }],
]);

specify("int32 grows into int64, int64 into double", [
  ["int + int", { $add: ["$int", 1] }, 8],
  ["int + int beyond 32 bits", { $add: ["$big", 1] }, long("2147483648")],
  ["int + long", { $add: [long("1"), 1] }, long("2")],
  ["long + int beyond 64 bits", { $add: ["$long", 1] }, double("9223372036854775808")],
  ["one double makes a double", { $add: ["$int", 0.5, 1] }, 8.5],
  ["double of integral value stays a double", { $add: [double("1"), 1] }, double("2")],
  ["null wins", { $add: ["$int", "$nothing"] }, null],
  ["division is always double", { $divide: [6, 2] }, double("3")],
  ["$floor of an int is the int", { $floor: "$int" }, 7],
]);

specify("dates in arithmetic count milliseconds", [
  ["a date plus a number rounds", { $add: ["$when", 0.5] }, date("2024-02-29T23:30:15.251Z")],
]);

specify("comparison", [
  ["numbers compare by value", { $eq: [1, double("1")] }, true],
  ["types compare by their order", { $gt: ["5", 5] }, true],
  ["missing is below null", { $gt: [null, "$no"] }, true],
  ["an empty array is true", { $not: [[]] }, false],
]);

specify("conditions", [
  ["$cond as a list", { $cond: [{ $gt: ["$int", 5] }, "more", "less"] }, "more"],
  ["the branch not taken is not evaluated", { $cond: ["$flag", 1, { $divide: [1, "$nothing.x"] }] }, 1],
  ["$ifNull takes the first that is something", { $ifNull: ["$no", "$nothing", "$int"] }, 7],
  ["$ifNull gives its last as it is", { $ifNull: ["$no", "$no"] }, MISSING],
]);

specify("strings", [
  ["$strLenBytes", { $strLenBytes: "$heart" }, 11],
  ["$substrCP by code points", { $substrCP: ["$heart", 2, 1] }, "❤"],
]);

specify("arrays", [
  ["$size", { $size: "$list" }, 3],
  ["$in compares by value", { $in: [double("1"), "$list"] }, true],
  ["$concatArrays", { $concatArrays: ["$list", [4]] }, [3, 1, 2, 4]],
  ["$slice from the end", { $slice: ["$list", -2] }, [1, 2]],
  ["$map binds its variable", { $map: { input: "$list", as: "n", in: { $add: ["$$n", "$$n"] } } }, [6, 2, 4]],
  [
    "$map keeps a place for what is missing",
    { $map: { input: "$docs", in: "$$this.b" } },
    [2, null, null, []],
  ],
  ["nothing in, null out", [{ $map: { input: "$no", in: 1 } }, { $slice: ["$no", 1] }], [null, null]],
]);

specify("types and conversions", [
  ["$toLong of a date", { $toLong: "$when" }, long("1709249415250")],
  ["$toLong of nothing", { $toLong: "$no" }, null],
]);

specify("accumulators over an array or over arguments", [
  ["$sum ignores what is no number", { $sum: ["$int", "$text", 1] }, 8],
  ["$sum of one array", { $sum: "$list" }, 6],
  [
    "$sum keeps what rounding loses",
    { $sum: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
    double("1"),
  ],
]);

type Refusal = [claim: string, expression: Json, code: number];

const REFUSED_AT_ONCE: Refusal[] = [
  ["an unknown operator", { $nope: 1 }, 168],
  ["a second field beside an operator", { $add: [1], x: 1 }, 15983],
  ["too few arguments", { $divide: [1] }, 16020],
  ["too many arguments", { $slice: [[1], 1, 1, 1] }, 16020],
  ["$slice with a start", { $slice: [[1], 1, 1] }, 238],
  ["an unknown variable", "$$nope", 17276],
  ["a variable of MongoDB's own", "$$ROOT", 17276],
  ["a variable in upper case", { $map: { input: [], as: "X", in: 1 } }, 9],
  ["a bare dollar", "$", 16872],
  ["a path with an empty part", "$a..b", 15998],
  ["a path that ends in a dot", "$a.", 40353],
  ["a dotted name in an object", { "a.b": 1 }, 16412],
  ["a constant that fails, even where it is not reached", { $cond: ["$flag", 1, { $divide: [1, 0] }] }, 2],
  ["a list of types that do not add", { $add: [1, "x"] }, 14],
  ["$ifNull with one argument", { $ifNull: [1] }, 1257300],
  ["$filter without cond", { $filter: { input: [] } }, 28650],
  ["$map with an unknown part", { $map: { input: [], in: 1, x: 1 } }, 16879],
  ["a decimal", { $toDecimal: 1 }, 168],
  ["$filter with a limit", { $filter: { input: [], cond: true, limit: 1 } }, 238],
  ["$cond with named parts", { $cond: { if: true } }, 238],
];

const MANY = Array.from({ length: 5000 }, (_, i) => i);

const REFUSED_WHEN_RUN: Refusal[] = [
  ["$toLong of a double", { $toLong: "$half" }, 238],
  ["$substrCP of a number", { $substrCP: ["$int", 0, 1] }, 238],
  ["a sum with a string", { $add: ["$int", "$text"] }, 14],
  ["division by zero", { $divide: ["$int", { $add: ["$int", -7] }] }, 2],
  ["two dates in a sum", { $add: ["$when", "$when"] }, 16612],
  ["$size of no array", { $size: "$int" }, 17124],
  ["$in without an array", { $in: [1, "$int"] }, 40081],
  [
    "loops that would not end in time",
    {
      $map: {
        input: MANY,
        in: { $map: { input: MANY, in: { $add: ["$$this", "$int"] } } },
      },
    },
    50,
  ],
];

describe("refusals", () => {
  test.each(drawRows("refused at once", REFUSED_AT_ONCE))(
    "%s is refused before any document comes: %j",
    (_, expression, code) => {
      expect(errorOf(() => compileExpression(fromEjson(expression))).code).toBe(code);
    },
  );

  test.each(drawRows("refused when run", REFUSED_WHEN_RUN))(
    "%s is refused for the document",
    (_, expression, code) => {
      const compiled = compileExpression(fromEjson(expression));

      expect(errorOf(() => compiled(createScope(GIVEN))).code).toBe(code);
    },
  );
});

test.each(drawRows("listed", EXPRESSION_OPERATORS))("%s is listed and known", (name) => {
  const outcome = (() => {
    try {
      compileExpression(new Map([[name, "$int"]]));
      return "compiled";
    } catch (error) {
      return (error as EngineError).code;
    }
  })();

  expect(outcome).not.toBe(168);
});

/** A value, a constant document or a path that reads one. */
const operand = fc.oneof(
  anyValue,
  fc.constantFrom<Value>(...[...GIVEN.keys()].map((name) => `$${name}`), "$no"),
);
const NAMES = ["input", "in", "as", "cond", "limit", "if", "then", "else"];
const argument = fc.oneof(
  operand,
  fc.array(operand, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom(...NAMES), operand).map((fields): Value => new Map(Object.entries(fields))),
);

test.each(drawRows("any arguments", EXPRESSION_OPERATORS))(
  "%s answers or refuses, whatever it is given",
  (name) => {
    const run = (argument: Value) => {
      const result = compileExpression(new Map([[name, argument]]))(createScope(GIVEN));
      return result === undefined || encode(new Map([["value", result]])).length > 0;
    };

    fc.assert(
      fc.property(argument, (argument) => {
        try {
          return run(argument);
        } catch (error) {
          return error instanceof EngineError;
        }
      }),
      { numRuns: 60 },
    );
  },
);
