import fc from "fast-check";
import { BSON } from "mongodb";
import { describe, expect, test } from "vitest";
import { compileExpression, EXPRESSION_OPERATORS, newScope } from "#db/engine/expression/expression.ts";
import { value as anyValue } from "#db/engine/tests/arbitrary.ts";
import { docFromEjson, fromEjson } from "#db/engine/tests/ejson.ts";
import { encode } from "#db/engine/values/bson.ts";
import { EngineError } from "#db/engine/values/errors.ts";
import type { Value } from "#db/engine/values/values.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { drawRows } from "./engine-run.ts";

needsEngine("it tests functions of the engine");

type Json = unknown;

const double = (text: string) => ({ $numberDouble: text });
const long = (text: string) => ({ $numberLong: text });
const date = (text: string) => ({ $date: { $numberLong: String(Date.parse(text)) } });
const literal = (value: Json) => ({ $literal: value });
// biome-ignore lint/suspicious/noThenProperty: the name that $switch gives it
const branch = (test: Json, outcome: Json) => ({ case: test, then: outcome });
// biome-ignore lint/suspicious/noThenProperty: the name that $cond gives it
const condition = (test: Json, outcome: Json) => ({ if: test, then: outcome });
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
  ts: { $timestamp: { t: 1700000000, i: 3 } },
});

/** A value with its types and the order of its fields as text. */
function shown(value: Value | undefined): string {
  if (value === undefined) return "missing";
  const document = BSON.deserialize(encode(new Map([["value", value]])), { promoteValues: false });
  return BSON.EJSON.stringify(document, { relaxed: false });
}

function evaluate(expression: Json): Value | undefined {
  return compileExpression(fromEjson(expression))(newScope(GIVEN, 1_700_000_000_000n));
}

function errorOf(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("answered");
}

type Row = [claim: string, expression: Json, want: Json];

function specify(title: string, rows: Row[]): void {
  describe(title, () => {
    test.each(drawRows(title, rows))("%s: %j", (_, expression, want) => {
      expect(shown(evaluate(expression))).toBe(shown(want === MISSING ? undefined : fromEjson(want)));
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
  ["$$ROOT is the document", { $type: "$$ROOT" }, "object"],
  ["$$CURRENT with a path", "$$CURRENT.nested.a", { b: "deep" }],
  ["$$REMOVE is missing", "$$REMOVE", MISSING],
  ["$$NOW is the operation's time", "$$NOW", { $date: { $numberLong: "1700000000000" } }],
]);

specify("int32 grows into int64, int64 into double", [
  ["int + int", { $add: ["$int", 1] }, 8],
  ["int + int beyond 32 bits", { $add: ["$big", 1] }, long("2147483648")],
  ["int + long", { $add: [long("1"), 1] }, long("2")],
  ["long + int beyond 64 bits", { $add: ["$long", 1] }, double("9223372036854775808")],
  ["one double makes a double", { $add: ["$int", 0.5, 1] }, 8.5],
  ["double of integral value stays a double", { $add: [double("1"), 1] }, double("2")],
  ["null wins", { $add: ["$int", "$nothing"] }, null],
  ["subtraction beyond 32 bits", { $subtract: [-2, "$big"] }, long("-2147483649")],
  ["product beyond 32 bits", { $multiply: ["$big", 2] }, long("4294967294")],
  ["product beyond 64 bits", { $multiply: ["$long", 2] }, double("18446744073709551614")],
  ["division is always double", { $divide: [6, 2] }, double("3")],
  ["rest keeps the sign of the dividend", { $mod: [-7, 3] }, -1],
  ["rest of an int by an integral double is an int", { $mod: [7, double("4")] }, 3],
  ["rest with a fraction", { $mod: [7, 2.5] }, double("2")],
  ["$abs of the least int32", { $abs: -2147483648 }, long("2147483648")],
  ["$pow of integers is exact", { $pow: [3, 35] }, long("50031545098999707")],
  ["$pow beyond 64 bits", { $pow: [2, 64] }, double("18446744073709551616")],
  ["$pow with a negative exponent", { $pow: [2, -2] }, 0.25],
  ["$ceil of a double is a double", { $ceil: "$half" }, double("3")],
  ["$floor of an int is the int", { $floor: "$int" }, 7],
  ["$round goes to the even neighbour", { $round: "$half" }, double("2")],
  ["$round takes a double at its exact value", { $round: [1.005, 2] }, double("1")],
  ["$round to tens", { $round: [15, -1] }, 20],
  ["$round of an int32 beyond 32 bits", { $round: ["$big", -1] }, long("2147483650")],
  ["$trunc to a decimal place", { $trunc: [-123.397, 2] }, -123.39],
  ["$sqrt", { $sqrt: 16 }, double("4")],
  ["$log10", { $log10: 1000 }, double("3")],
]);

specify("dates in arithmetic count milliseconds", [
  ["a date plus a number rounds", { $add: ["$when", 0.5] }, date("2024-02-29T23:30:15.251Z")],
  ["a date minus a date is an int64", { $subtract: ["$when", date("2024-02-29T23:30:15Z")] }, long("250")],
  ["a date minus a fraction rounds too", { $subtract: ["$when", 0.5] }, date("2024-02-29T23:30:15.249Z")],
  ["a date minus milliseconds", { $subtract: ["$when", 250] }, date("2024-02-29T23:30:15.000Z")],
]);

specify("bits", [
  ["and", { $bitAnd: [6, 3] }, 2],
  ["a long makes a long", { $bitOr: [1, long("4294967296")] }, long("4294967297")],
  ["not", { $bitNot: 0 }, -1],
  ["nothing at all", { $bitAnd: [] }, -1],
]);

specify("comparison", [
  ["numbers compare by value", { $eq: [1, double("1")] }, true],
  ["types compare by their order", { $lt: [5, "5"] }, true],
  ["missing is below null", { $lt: ["$no", null] }, true],
  ["$cmp is -1, 0 or 1", { $cmp: ["b", "a"] }, 1],
  ["$and stops at false", { $and: ["$no", { $divide: [1, "$nothing"] }] }, false],
  [
    "a constant that decides comes first",
    { $and: [{ $divide: ["$int", { $subtract: ["$int", 7] }] }, false] },
    false,
  ],
  ["$or of nothing", { $or: [] }, false],
  ["an empty array is true", { $not: [[]] }, false],
]);

specify("conditions", [
  ["$cond as a list", { $cond: [{ $gt: ["$int", 5] }, "more", "less"] }, "more"],
  ["$cond by name", { $cond: { ...condition("$no", 1), else: 2 } }, 2],
  ["the branch not taken is not evaluated", { $cond: ["$flag", 1, { $divide: [1, "$nothing.x"] }] }, 1],
  ["$ifNull takes the first that is something", { $ifNull: ["$no", "$nothing", "$int"] }, 7],
  ["$ifNull gives its last as it is", { $ifNull: ["$no", "$no"] }, MISSING],
  [
    "$switch takes the first case",
    {
      $switch: {
        branches: [branch("$no", 1), branch("$flag", 2)],
        default: 3,
      },
    },
    2,
  ],
  ["$switch falls back", { $switch: { branches: [branch("$no", 1)], default: 3 } }, 3],
]);

specify("strings", [
  ["$concat", { $concat: ["$text", ", ", "world"] }, "Hello, world"],
  ["$concat with null", { $concat: ["$text", "$nothing"] }, null],
  ["$toUpper knows ASCII only", { $toUpper: "straße é" }, "STRAßE é"],
  ["$toLower of null is empty", { $toLower: null }, ""],
  ["a double as text has six digits", { $toLower: 1234.56789 }, "1234.57"],
  ["$strLenBytes", { $strLenBytes: "$heart" }, 11],
  ["$strLenCP", { $strLenCP: "$heart" }, 6],
  ["$substrBytes to the end", { $substrBytes: ["$text", 2, -1] }, "llo"],
  ["$substrCP by code points", { $substrCP: ["$heart", 2, 1] }, "❤"],
  ["$indexOfBytes", { $indexOfBytes: ["$heart", "é"] }, 9],
  ["$indexOfCP", { $indexOfCP: ["$heart", "é"] }, 5],
  ["the end bounds where $indexOfCP starts", { $indexOfCP: ["$text", "llo", 0, 3] }, 2],
  ["the end bounds all of $indexOfBytes", { $indexOfBytes: ["$text", "llo", 0, 3] }, -1],
  ["$indexOfCP not found", { $indexOfCP: ["$text", "x"] }, -1],
  ["$split keeps empty parts", { $split: ["a,,b,", ","] }, ["a", "", "b", ""]],
  ["$trim of whitespace", { $trim: { input: " \t x \u00a0" } }, "x"],
  ["$ltrim of given characters", { $ltrim: { input: "0012", chars: "0" } }, "12"],
  [
    "$replaceOne is literal",
    { $replaceOne: { input: "a.b.", find: ".", replacement: literal("$&") } },
    "a$&b.",
  ],
  ["$replaceAll is literal", { $replaceAll: { input: "a.b.", find: ".", replacement: "&" } }, "a&b&"],
  ["$strcasecmp", { $strcasecmp: ["hello", "$text"] }, 0],
  ["$regexMatch", { $regexMatch: { input: "$text", regex: "^h", options: "i" } }, true],
  [
    "$regexFind counts code points",
    { $regexFind: { input: "$heart", regex: "(é)" } },
    { match: "é", idx: 5, captures: ["é"] },
  ],
  [
    "$regexFindAll goes on behind an empty match",
    { $regexFindAll: { input: "ab", regex: "x*" } },
    [
      { match: "", idx: 0, captures: [] },
      { match: "", idx: 1, captures: [] },
    ],
  ],
  ["a pattern that is nothing finds nothing", { $regexFind: { input: "$text", regex: "$no" } }, null],
]);

specify("arrays", [
  ["$arrayElemAt from the end", { $arrayElemAt: ["$list", -1] }, 2],
  ["$arrayElemAt outside is missing", { $arrayElemAt: ["$list", 9] }, MISSING],
  ["$first and $last", [{ $first: "$list" }, { $last: "$list" }], [3, 2]],
  ["$size", { $size: "$list" }, 3],
  ["$in compares by value", { $in: [double("1"), "$list"] }, true],
  ["$indexOfArray in a window", { $indexOfArray: ["$list", 2, 1, 3] }, 2],
  ["$concatArrays", { $concatArrays: ["$list", [4]] }, [3, 1, 2, 4]],
  ["$slice from the end", { $slice: ["$list", -2] }, [1, 2]],
  ["$slice with a start", { $slice: ["$list", 1, 5] }, [1, 2]],
  ["$range", { $range: [0, 10, 3] }, [0, 3, 6, 9]],
  ["$range downwards", { $range: [3, 0, -1] }, [3, 2, 1]],
  ["$reverseArray", { $reverseArray: "$list" }, [2, 1, 3]],
  ["$sortArray of values", { $sortArray: { input: "$list", sortBy: 1 } }, [1, 2, 3]],
  [
    "$sortArray by a field",
    { $sortArray: { input: [{ a: 1 }, { a: 2 }, 5], sortBy: { a: -1 } } },
    [{ a: 2 }, { a: 1 }, 5],
  ],
  [
    "$map binds its variable",
    { $map: { input: "$list", as: "n", in: { $multiply: ["$$n", 2] } } },
    [6, 2, 4],
  ],
  [
    "$map keeps a place for what is missing",
    { $map: { input: "$docs", in: "$$this.b" } },
    [2, null, null, []],
  ],
  ["$filter with a limit", { $filter: { input: "$list", cond: { $gt: ["$$this", 1] }, limit: 1 } }, [3]],
  ["$reduce", { $reduce: { input: "$list", initialValue: 0, in: { $add: ["$$value", "$$this"] } } }, 6],
  ["$zip to the shortest", { $zip: { inputs: ["$list", ["a"]] } }, [[3, "a"]]],
  [
    "$zip to the longest",
    { $zip: { inputs: [[1, 2], ["a"]], useLongestLength: true, defaults: [0, "z"] } },
    [
      [1, "a"],
      [2, "z"],
    ],
  ],
  ["nothing in, null out", [{ $map: { input: "$no", in: 1 } }, { $reverseArray: "$no" }], [null, null]],
  [
    "variables of $let do not see each other",
    { $let: { vars: { a: 1, b: "$int" }, in: { $add: ["$$a", "$$b"] } } },
    8,
  ],
  [
    "an inner variable hides an outer one",
    { $let: { vars: { n: 1 }, in: { $map: { input: [2], as: "n", in: "$$n" } } } },
    [2],
  ],
  ["CURRENT may be given another meaning", { $let: { vars: { CURRENT: "$nested" }, in: "$a.b" } }, "deep"],
]);

specify("sets have no order and no repetition", [
  [
    "union comes in order",
    {
      $setUnion: [
        [3, 1],
        [double("1"), 2],
      ],
    },
    [1, 2, 3],
  ],
  ["intersection", { $setIntersection: ["$list", [2, 3, 9]] }, [2, 3]],
  ["difference keeps the first order", { $setDifference: [[3, 1, 3, 2], [1]] }, [3, 2]],
  [
    "equality",
    {
      $setEquals: [
        [1, 2, 2],
        [2, 1],
      ],
    },
    true,
  ],
  ["subset", { $setIsSubset: [[1], "$list"] }, true],
  [
    "documents are equal with their fields in order",
    { $setEquals: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]] },
    false,
  ],
  ["all and any", [{ $allElementsTrue: [[1, 0]] }, { $anyElementTrue: [[1, 0]] }], [false, true]],
]);

specify("objects", [
  ["$objectToArray", { $objectToArray: { a: 1 } }, [{ k: "a", v: 1 }]],
  [
    "$arrayToObject from pairs",
    {
      $arrayToObject: [
        literal([
          ["a", 1],
          ["b", 2],
        ]),
      ],
    },
    { a: 1, b: 2 },
  ],
  ["$mergeObjects, later wins", { $mergeObjects: [{ a: 1, b: 1 }, null, { b: 2 }] }, { a: 1, b: 2 }],
  ["$getField with a dot in the name", { $getField: { field: "a.b", input: literal({ "a.b": 1 }) } }, 1],
  ["$getField of the document", { $getField: "int" }, 7],
  ["$setField", { $setField: { field: "x", input: { a: 1 }, value: "$int" } }, { a: 1, x: 7 }],
  [
    "$setField with $$REMOVE",
    { $setField: { field: "a", input: { a: 1, b: 2 }, value: "$$REMOVE" } },
    { b: 2 },
  ],
  ["$unsetField", { $unsetField: { field: "a", input: { a: 1, b: 2 } } }, { b: 2 }],
]);

const in2020 = (text: string) => date(`2020-${text}`);

specify("dates", [
  ["parts in UTC", [{ $year: "$when" }, { $month: "$when" }, { $dayOfMonth: "$when" }], [2024, 2, 29]],
  ["parts in a zone", { $dayOfMonth: { date: "$when", timezone: "Asia/Tokyo" } }, 1],
  ["parts with an offset", { $hour: { date: "$when", timezone: "-0130" } }, 22],
  ["week and ISO week", [{ $week: "$when" }, { $isoWeek: "$when" }], [8, 9]],
  ["the ISO year is an int64", { $isoWeekYear: date("2021-01-01T00:00:00Z") }, long("2020")],
  [
    "Sunday is 1, in ISO it is 7",
    [{ $dayOfWeek: date("2024-03-03T00:00:00Z") }, { $isoDayOfWeek: date("2024-03-03T00:00:00Z") }],
    [1, 7],
  ],
  ["day of year", { $dayOfYear: "$when" }, 60],
  ["an object id carries a date", { $year: "$_id" }, 2022],
  [
    "$dateToParts",
    { $dateToParts: { date: "$when", iso8601: true } },
    { isoWeekYear: 2024, isoWeek: 9, isoDayOfWeek: 4, hour: 23, minute: 30, second: 15, millisecond: 250 },
  ],
  [
    "$dateFromParts carries over",
    { $dateFromParts: { year: 2023, month: 14, day: 0 } },
    date("2024-01-31T00:00:00Z"),
  ],
  [
    "$dateFromParts by ISO week",
    { $dateFromParts: { isoWeekYear: 2024, isoWeek: 9, isoDayOfWeek: 4 } },
    date("2024-02-29T00:00:00Z"),
  ],
  ["$dateToString without a format", { $dateToString: { date: "$when" } }, "2024-02-29T23:30:15.250Z"],
  [
    "$dateToString with one",
    { $dateToString: { date: "$when", format: "%d.%m.%Y %j %G-W%V-%u %z%%", timezone: "+05:30" } },
    "01.03.2024 061 2024-W09-5 +0530%",
  ],
  ["$dateToString of nothing", { $dateToString: { date: "$no", onNull: "none" } }, "none"],
  [
    "$dateFromString of ISO 8601",
    { $dateFromString: { dateString: "2024-02-29T23:30:15.250+01:00" } },
    date("2024-02-29T22:30:15.250Z"),
  ],
  [
    "$dateFromString of a mail's date",
    { $dateFromString: { dateString: "Thu, 29 Feb 2024 23:30:15 GMT" } },
    date("2024-02-29T23:30:15Z"),
  ],
  [
    "$dateFromString of words",
    { $dateFromString: { dateString: "July 4th, 2017 11pm" } },
    date("2017-07-04T23:00:00Z"),
  ],
  [
    "$dateFromString in a zone",
    { $dateFromString: { dateString: "2024-07-01", timezone: "Europe/Berlin" } },
    date("2024-06-30T22:00:00Z"),
  ],
  [
    "$dateFromString by format",
    { $dateFromString: { dateString: "1/2/2024 3h", format: "%d/%m/%Y %Hh" } },
    date("2024-02-01T03:00:00Z"),
  ],
  [
    "%j counts from the year's first day as 0",
    { $dateFromString: { dateString: "2017, Day 5", format: "%Y, Day %j" } },
    date("2017-01-06T00:00:00Z"),
  ],
  ["$dateFromString with a fallback", { $dateFromString: { dateString: "no date", onError: "?" } }, "?"],
  [
    "$dateAdd stays in the month",
    { $dateAdd: { startDate: in2020("01-31T12:00:00Z"), unit: "month", amount: 1 } },
    in2020("02-29T12:00:00Z"),
  ],
  [
    "$dateAdd of a day keeps the clock of the zone",
    { $dateAdd: { startDate: in2020("10-24T18:10:00Z"), unit: "day", amount: 1, timezone: "Europe/Paris" } },
    in2020("10-25T19:10:00Z"),
  ],
  [
    "$dateAdd of hours does not",
    {
      $dateAdd: { startDate: in2020("10-24T18:10:00Z"), unit: "hour", amount: 24, timezone: "Europe/Paris" },
    },
    in2020("10-25T18:10:00Z"),
  ],
  [
    "$dateSubtract",
    { $dateSubtract: { startDate: "$when", unit: "year", amount: 1 } },
    date("2023-02-28T23:30:15.250Z"),
  ],
  [
    "$dateDiff counts borders",
    {
      $dateDiff: { startDate: in2020("01-31T23:59:00Z"), endDate: in2020("02-01T00:01:00Z"), unit: "month" },
    },
    long("1"),
  ],
  [
    "$dateDiff of weeks by their start",
    {
      $dateDiff: {
        startDate: date("2021-01-24T18:00:00Z"),
        endDate: date("2021-01-25T02:00:00Z"),
        unit: "week",
        startOfWeek: "monday",
      },
    },
    long("1"),
  ],
  [
    "$dateDiff of hours is exact over a clock change",
    {
      $dateDiff: {
        startDate: in2020("03-08T05:00:00Z"),
        endDate: in2020("03-08T09:00:00Z"),
        unit: "hour",
        timezone: "America/New_York",
      },
    },
    long("4"),
  ],
  [
    "$dateTrunc to a quarter",
    { $dateTrunc: { date: "$when", unit: "quarter" } },
    date("2024-01-01T00:00:00Z"),
  ],
  [
    "$dateTrunc to weeks of a zone",
    { $dateTrunc: { date: "$when", unit: "week", startOfWeek: "mon", timezone: "Asia/Tokyo" } },
    date("2024-02-25T15:00:00Z"),
  ],
  [
    "$dateTrunc to bins of minutes",
    { $dateTrunc: { date: "$when", unit: "minute", binSize: 20 } },
    date("2024-02-29T23:20:00Z"),
  ],
  [
    "a skipped local time counts from before the change",
    { $dateFromParts: { year: 2024, month: 3, day: 31, hour: 2, minute: 30, timezone: "Europe/Berlin" } },
    date("2024-03-31T01:30:00Z"),
  ],
  [
    "a repeated local time is the first",
    { $dateFromParts: { year: 2024, month: 10, day: 27, hour: 2, minute: 30, timezone: "Europe/Berlin" } },
    date("2024-10-27T00:30:00Z"),
  ],
  ["timestamps", [{ $tsSecond: "$ts" }, { $tsIncrement: "$ts" }], [long("1700000000"), long("3")]],
]);

specify("types and conversions", [
  [
    "$type",
    [{ $type: "$int" }, { $type: "$long" }, { $type: "$half" }, { $type: "$no" }],
    ["int", "long", "double", "missing"],
  ],
  ["$isNumber and $isArray", [{ $isNumber: "$half" }, { $isArray: ["$list"] }], [true, true]],
  ["$toInt cuts the fraction", { $toInt: -2.9 }, -2],
  ["$toInt of text", { $toInt: "-42" }, -42],
  ["$toLong of a date", { $toLong: "$when" }, long("1709249415250")],
  ["$toDouble of text", { $toDouble: "1e3" }, double("1000")],
  [
    "$toString of doubles",
    [{ $toString: 0.1 }, { $toString: 1e20 }, { $toString: 1e-7 }],
    ["0.1", "1e+20", "1e-07"],
  ],
  ["$toBool of text is true", { $toBool: "false" }, true],
  ["$toDate of an object id", { $toDate: "$_id" }, date("2022-12-14T01:28:46Z")],
  ["$toObjectId", { $toObjectId: "639926cee6bda3127f153bf1" }, { $oid: "639926cee6bda3127f153bf1" }],
  ["$convert with a fallback", { $convert: { input: "x", to: "int", onError: "bad" } }, "bad"],
  ["$convert of nothing", { $convert: { input: "$no", to: "int", onNull: 0 } }, 0],
  ["$bsonSize", { $bsonSize: { x: 1 } }, 12],
  ["$binarySize counts bytes", { $binarySize: "❤" }, 3],
]);

specify("accumulators over an array or over arguments", [
  ["$sum ignores what is no number", { $sum: ["$int", "$text", 1] }, 8],
  ["$sum of one array", { $sum: "$list" }, 6],
  [
    "$sum keeps what rounding loses",
    { $sum: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
    double("1"),
  ],
  ["$avg", { $avg: "$list" }, double("2")],
  ["$avg of nothing", { $avg: "$text" }, null],
  ["$min and $max skip null", [{ $min: ["$nothing", 2, 1] }, { $max: ["$nothing", "a", 1] }], [1, "a"]],
  ["$stdDevPop", { $stdDevPop: [2, 4] }, double("1")],
  ["$stdDevSamp of one", { $stdDevSamp: [2] }, null],
  [
    "$firstN and $lastN",
    [{ $firstN: { n: 2, input: "$list" } }, { $lastN: { n: 2, input: "$list" } }],
    [
      [3, 1],
      [1, 2],
    ],
  ],
  [
    "$minN and $maxN come in order",
    [{ $minN: { n: 2, input: "$list" } }, { $maxN: { n: 2, input: "$list" } }],
    [
      [1, 2],
      [3, 2],
    ],
  ],
]);

type Refusal = [claim: string, expression: Json, code: number];

const REFUSED_AT_ONCE: Refusal[] = [
  ["an unknown operator", { $nope: 1 }, 168],
  ["a second field beside an operator", { $add: [1], x: 1 }, 15983],
  ["too few arguments", { $divide: [1] }, 16020],
  ["too many arguments", { $slice: [[1], 1, 1, 1] }, 28667],
  ["an unknown variable", "$$nope", 17276],
  ["a bare dollar", "$", 16872],
  ["a path with an empty part", "$a..b", 15998],
  ["a path that ends in a dot", "$a.", 40353],
  ["a variable in upper case", { $let: { vars: { X: 1 }, in: 1 } }, 9],
  ["a dotted name in an object", { "a.b": 1 }, 16412],
  ["a constant that fails, even where it is not reached", { $cond: ["$flag", 1, { $divide: [1, 0] }] }, 2],
  ["a list of types that do not add", { $add: [1, "x"] }, 14],
  ["$cond without else", { $cond: condition(1, 1) }, 17082],
  ["$switch without a branch", { $switch: { branches: [] } }, 40068],
  ["$ifNull with one argument", { $ifNull: [1] }, 1257300],
  ["$filter without cond", { $filter: { input: [] } }, 28650],
  ["$map with an unknown part", { $map: { input: [], in: 1, x: 1 } }, 16879],
  ["a field name read from a document", { $getField: "$a" }, 5654600],
  ["a decimal", { $toDecimal: 1 }, 168],
  [
    "a text with a zone beside a zone",
    { $dateFromString: { dateString: "2020-01-01 10:00 GMT", timezone: "Europe/Paris" } },
    241,
  ],
  [
    "an unknown format letter",
    { $dateToString: { date: date("2020-01-01T00:00:00Z"), format: "%i" } },
    18536,
  ],
  ["an unknown zone", { $hour: { date: date("2020-01-01T00:00:00Z"), timezone: "Nowhere/Else" } }, 40485],
];

const REFUSED_WHEN_RUN: Refusal[] = [
  ["a sum with a string", { $add: ["$int", "$text"] }, 14],
  ["division by zero", { $divide: ["$int", { $subtract: ["$int", 7] }] }, 2],
  ["two dates in a sum", { $add: ["$when", "$when"] }, 16612],
  ["a logarithm of a negative number", { $ln: { $multiply: ["$int", -1] } }, 28766],
  ["$concat with a number", { $concat: ["$text", "$int"] }, 16702],
  ["$size of no array", { $size: "$int" }, 17124],
  ["$in without an array", { $in: [1, "$int"] }, 40081],
  ["$arrayElemAt with a fraction", { $arrayElemAt: ["$list", "$half"] }, 28691],
  ["$setUnion with a number", { $setUnion: ["$list", "$int"] }, 17043],
  ["$substrBytes inside a character", { $substrBytes: ["$heart", 3, 2] }, 28656],
  ["a date that is no date", { $year: "$text" }, 16006],
  ["$dateFromString of nonsense", { $dateFromString: { dateString: "$text" } }, 241],
  ["$dateAdd with an unknown unit", { $dateAdd: { startDate: "$when", unit: "$text", amount: 1 } }, 9],
  ["$toInt of too much", { $toInt: "$long" }, 241],
  [
    "loops that would not end in time",
    {
      $map: {
        input: { $range: [0, 5000] },
        in: { $map: { input: { $range: [0, 5000] }, in: { $add: ["$$this", "$int"] } } },
      },
    },
    50,
  ],
  [
    "a string that would fill the memory",
    {
      $reduce: {
        input: { $range: [0, 40] },
        initialValue: "$text",
        in: { $concat: ["$$value", "$$value"] },
      },
    },
    13548,
  ],
  ["a range that would fill the memory", { $range: [0, "$big"] }, 146],
  ["$mergeObjects of a number", { $mergeObjects: ["$nested", "$int"] }, 40400],
  ["n of zero", { $firstN: { n: { $subtract: ["$int", 7] }, input: "$list" } }, 5787908],
];

describe("refusals", () => {
  test.each(drawRows("refused at once", REFUSED_AT_ONCE))(
    "%s is refused before any document comes: %j",
    (_, expression, code) => {
      expect(errorOf(() => compileExpression(fromEjson(expression))).code).toBe(code);
    },
  );

  test.each(drawRows("refused when run", REFUSED_WHEN_RUN))(
    "%s is refused for the document: %j",
    (_, expression, code) => {
      const compiled = compileExpression(fromEjson(expression));

      expect(errorOf(() => compiled(newScope(GIVEN, 0n))).code).toBe(code);
    },
  );
});

describe("the command's variables", () => {
  test("are read by the names given beforehand", () => {
    const compiled = compileExpression(
      fromEjson({ $add: ["$$extra", "$int"] }),
      new Map([["extra", fromEjson(3)]]),
    );

    const result = compiled(newScope(GIVEN, 0n));

    expect(shown(result)).toBe(shown(fromEjson(10)));
  });
});

test("$rand gives a number below 1 and no constant", () => {
  const compiled = compileExpression(fromEjson({ $rand: {} }));

  const numbers = Array.from({ length: 20 }, () => compiled(newScope(GIVEN, 0n)) as number);

  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(new Set(numbers).size).toBeGreaterThan(1);
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
  fc.constantFrom<Value>(...[...GIVEN.keys()].map((name) => `$${name}`), "$no", "UTC", "day", "%Y-%m"),
);
const NAMES = [
  "input",
  "date",
  "unit",
  "in",
  "cond",
  "n",
  "to",
  "regex",
  "format",
  "dateString",
  "startDate",
  "amount",
];
const argument = fc.oneof(
  operand,
  fc.array(operand, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom(...NAMES), operand).map((fields): Value => new Map(Object.entries(fields))),
);

test.each(drawRows("any arguments", EXPRESSION_OPERATORS))(
  "%s answers or refuses, whatever it is given",
  (name) => {
    const run = (given: Value) => {
      const result = compileExpression(new Map([[name, given]]))(newScope(GIVEN, 0n));
      return result === undefined || encode(new Map([["value", result]])).length > 0;
    };

    fc.assert(
      fc.property(argument, (given) => {
        try {
          return run(given);
        } catch (error) {
          return error instanceof EngineError;
        }
      }),
      { numRuns: 60 },
    );
  },
);
