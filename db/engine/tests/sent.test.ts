/** The tables of the engine hold what Codeshelf sends: all of it, and nothing else but a few names that have a reason. */
import { describe, expect, test } from "vitest";
import { STAGE_OPERATORS } from "../aggregate/aggregate.ts";
import { ACCUMULATOR_OPERATORS } from "../aggregate/group.ts";
import { COMMANDS } from "../commands/table.ts";
import { EXPRESSION_OPERATORS } from "../expression/expression.ts";
import { QUERY_OPERATORS } from "../filter/match.ts";
import { FIELD_OPERATORS } from "../filter/match-fields.ts";
import { PUSH_CLAUSES } from "../update/arrays.ts";
import { UPDATE_OPERATORS } from "../update/update.ts";
import { type Kind, listCommands, listOperators, listSources, listUnknownMethods } from "./sent.ts";
import { needsEngine } from "./server.ts";

needsEngine("it is about the tables of the engine");

const TABLES: Record<Kind, ReadonlySet<string>> = {
  filter: new Set([...QUERY_OPERATORS, ...FIELD_OPERATORS]),
  update: new Set(UPDATE_OPERATORS),
  clause: new Set(PUSH_CLAUSES),
  stage: new Set(STAGE_OPERATORS),
  accumulator: new Set(ACCUMULATOR_OPERATORS),
  expression: new Set(EXPRESSION_OPERATORS),
};

/** Entries of a table that no source of the product names. */
const BY_REASON: Record<Kind | "command", Readonly<Record<string, string>>> = {
  filter: { $eq: "the long form of a value, by which the outside cases ask" },
  update: {},
  clause: {},
  stage: {},
  accumulator: {},
  expression: {},
  command: {
    endSessions: "a client sends it when it closes",
    getMore: "cursors send it",
    ismaster: "the first message of a client that does not know the server yet",
    killCursors: "cursors send it",
    saslContinue: "a client logs in with it",
    saslStart: "a client logs in with it",
  },
};
/** Sent to an engine that was started for tests, or in hope of one. */
const TEST_COMMANDS = ["configureFailPoint"];

const product = listSources("db/**/*.ts", "worker/**/*.ts", "bench/**/*.ts");
const everything = [...product, ...listSources("tests/**/*.ts")];

describe.each(Object.keys(TABLES) as Kind[])("the table of operators: %s", (kind) => {
  const sent = new Set(
    listOperators(product, TABLES)
      .filter((each) => each.kind === kind)
      .map(({ name }) => name),
  );

  test("holds nothing that is not sent", () => {
    const unused = [...TABLES[kind]].filter((name) => !sent.has(name)).sort();

    expect(unused).toEqual(Object.keys(BY_REASON[kind]).sort());
  });
});

test("operators are told apart by where they stand", () => {
  const text = `find({ $where: 1, a: { $gt: 2 }, b: { $type: 2 } });
    updateOne({}, { $push: { a: { $each: [1], $slice: 1 } } });
    aggregate([{ $skip: 1 }, { $group: { _id: 1, n: { $sum: { $cond: [{ $gt: ["$a", 1] }, 0, 1] } } } }]);`;
  const operators = listOperators([{ path: "given", text }], TABLES).map(
    ({ kind, name }) => `${kind} ${name}`,
  );

  expect(operators).toEqual([
    "unknown $where",
    "filter $gt",
    "unknown $type",
    "update $push",
    "clause $each",
    "clause $slice",
    "unknown $skip",
    "stage $group",
    "accumulator $sum",
    "expression $cond",
    "expression $gt",
  ]);
});

/** Names that begin with a dollar and go to no database. */
const NOT_SENT = ["$ref tests/support/api/openapi.ts", "$where tests/fuzz/requests.ts"];

test("neither the product nor its tests send an operator that is in no table", () => {
  const unknown = listOperators(everything, TABLES).filter(({ kind }) => kind === "unknown");

  expect(unknown.map(({ name, place }) => `${name} ${place}`).sort()).toEqual(NOT_SENT);
});

describe("the table of commands", () => {
  const sent = listCommands(everything);

  test("holds nothing that is not sent", () => {
    const unused = [...COMMANDS.keys()].filter((name) => !sent.has(name)).sort();

    expect(unused).toEqual(Object.keys(BY_REASON.command).sort());
  });

  test("holds all that is sent", () => {
    expect([...sent].filter((name) => !COMMANDS.has(name) && !TEST_COMMANDS.includes(name))).toEqual([]);
    expect(listUnknownMethods(everything)).toEqual([]);
  });
});
