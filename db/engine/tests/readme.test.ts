import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { STAGE_OPERATORS } from "#db/engine/aggregate/aggregate.ts";
import { ACCUMULATOR_OPERATORS } from "#db/engine/aggregate/group.ts";
import { COMMANDS } from "#db/engine/commands/table.ts";
import { EXPRESSION_GROUPS } from "#db/engine/expression/expression.ts";
import { QUERY_OPERATORS } from "#db/engine/filter/match.ts";
import { FIELD_OPERATORS } from "#db/engine/filter/match-fields.ts";
import { PUSH_CLAUSES } from "#db/engine/update/arrays.ts";
import { UPDATE_OPERATORS } from "#db/engine/update/update.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";

needsEngine("it tests functions of the engine");

const readme = readFileSync("db/engine/README.md", "utf8");

/** The words in backquotes of the table row that begins with the name. */
function listed(name: string): string[] {
  const row = readme.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
  return [...row.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word).sort();
}

const SUPPORTED: Record<string, readonly string[]> = {
  Commands: [...COMMANDS.keys()],
  "Filters, at the top": QUERY_OPERATORS,
  "Filters, on a field": FIELD_OPERATORS,
  Updates: UPDATE_OPERATORS,
  "Clauses of $push": PUSH_CLAUSES,
  Stages: STAGE_OPERATORS,
  Accumulators: ACCUMULATOR_OPERATORS,
  ...Object.fromEntries(
    Object.entries(EXPRESSION_GROUPS).map(([group, table]) => [
      `Expressions: ${group.toLowerCase()}`,
      Object.keys(table),
    ]),
  ),
};

describe("the engine's README", () => {
  test.for(Object.entries(SUPPORTED))(
    "lists all of what it supports, and nothing else: %s",
    ([name, operators]) => {
      expect(operators.length).toBeGreaterThan(0);
      expect(listed(name)).toEqual([...operators].sort());
    },
  );
});
