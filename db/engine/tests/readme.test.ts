import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STAGE_OPERATORS } from "../aggregate/aggregate.ts";
import { ACCUMULATOR_OPERATORS } from "../aggregate/group.ts";
import { COMMANDS } from "../commands/table.ts";
import { EXPRESSION_GROUPS } from "../expression/expression.ts";
import { QUERY_OPERATORS } from "../filter/match.ts";
import { FIELD_OPERATORS } from "../filter/match-fields.ts";
import { PUSH_CLAUSES } from "../update/arrays.ts";
import { UPDATE_OPERATORS } from "../update/update.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const README = join(import.meta.dirname, "..", "README.md");

const SUPPORTED: [string, Iterable<string>][] = [
  ["Commands", COMMANDS.keys()],
  ["Filters, at the top", QUERY_OPERATORS],
  ["Filters, on a field", FIELD_OPERATORS],
  ["Updates", UPDATE_OPERATORS],
  ["Clauses of $push", PUSH_CLAUSES],
  ["Stages", STAGE_OPERATORS],
  ["Accumulators", ACCUMULATOR_OPERATORS],
  ...Object.entries(EXPRESSION_GROUPS).map(([group, table]): [string, string[]] => [
    `Expressions: ${group.toLowerCase()}`,
    Object.keys(table),
  ]),
];

const toRow = ([name, words]: [string, Iterable<string>]) =>
  `| ${name} | ${[...words]
    .sort()
    .map((word) => `\`${word}\``)
    .join(" ")} |`;

/** `npx vitest run db/engine/tests/readme.test.ts --update` writes the table into the README. */
test("the README has the table of what the engine supports", async () => {
  const table = ["| what | supported |", "|---|---|", ...SUPPORTED.map(toRow)].join("\n");
  const text = readFileSync(README, "utf8");
  const generated = text.replace(/^\| what \| supported \|\n(\|.*\n)+/m, () => `${table}\n`);

  expect(text).toMatch(/^\| what \| supported \|$/m);
  await expect(generated).toMatchFileSnapshot(README);
});
