/** The tables of the engine hold nothing that Codeshelf does not send. What it sends and they lack is refused, so that its own tests fail. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STAGE_OPERATORS } from "../aggregate/aggregate.ts";
import { ACCUMULATOR_OPERATORS } from "../aggregate/group.ts";
import { COMMANDS } from "../commands/table.ts";
import { EXPRESSION_OPERATORS } from "../expression/expression.ts";
import { QUERY_OPERATORS } from "../filter/match.ts";
import { FIELD_OPERATORS } from "../filter/match-fields.ts";
import { PUSH_CLAUSES } from "../update/arrays.ts";
import { UPDATE_OPERATORS } from "../update/update.ts";
import { needsEngine } from "./server.ts";

needsEngine("it is about the tables of the engine");

const readSources = (...rooms: string[]) =>
  globSync(rooms.map((room) => `${room}/**/*.ts`))
    .filter((path) => !path.startsWith("db/engine/"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
const product = readSources("db", "worker", "bench");
const everything = product + readSources("tests");

test.each<[string, Iterable<string>]>([
  ["filters", [...QUERY_OPERATORS, ...FIELD_OPERATORS]],
  ["updates", UPDATE_OPERATORS],
  ["$push", PUSH_CLAUSES],
  ["pipelines", STAGE_OPERATORS],
  ["$group", ACCUMULATOR_OPERATORS],
  ["expressions", EXPRESSION_OPERATORS],
])("the table of operators for %s holds only names that the product writes", (_, names) => {
  expect([...names].filter((name) => !new RegExp(`\\${name}\\b`).test(product))).toEqual([]);
});

/** The methods of the driver that send each command, and the commands that a client sends by itself. */
const SENT_BY: Readonly<Record<string, string>> = {
  aggregate: "aggregate|countDocuments",
  count: "estimatedDocumentCount",
  createIndexes: "createIndex(?:es)?",
  delete: "delete(?:One|Many)",
  findAndModify: "findOneAnd\\w+",
  find: "find(?:One)?",
  insert: "insert(?:One|Many)",
  update: "(?:update|replace)(?:One|Many)",
  dropIndexes: "dropIndex",
};
const BY_CLIENTS = ["endSessions", "getMore", "ismaster", "killCursors", "saslContinue", "saslStart"];

test("the table of commands holds only what the product, its tests and the driver send", () => {
  const isSent = (name: string) =>
    new RegExp(
      `\\.(?:${SENT_BY[name] ?? name})(?:<[^()]*>)?\\(|\\.(?:command|adminCommand)\\(\\{\\s*${name}:`,
    ).test(everything);
  expect([...COMMANDS.keys()].filter((name) => !isSent(name)).sort()).toEqual(BY_CLIENTS);
});
