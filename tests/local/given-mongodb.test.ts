import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { openTestDatabase } from "#tests/support/databases/engine.ts";
import { dropDatabases } from "#tests/support/databases/given-mongodb.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";

needsEngine("it drops databases of the server that stands for another one");

const { client, uri } = await openTestDatabase();

it("a run drops the leftovers of its killed processes at its end, and nothing of another run", async () => {
  for (const name of ["test_aaaaaa_users_1", "test_aaaaaa_users_2", "test_bbbbbb_users_1", "test_aaaaaab"])
    await client.db(name).collection("kept").insertOne({});

  await dropDatabases(uri, "test_aaaaaa");

  const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
  const remaining = databases.map(({ name }) => name).filter((name) => /^test_(a{6}|b{6})/.test(name));
  expect(remaining.sort()).toEqual(["test_aaaaaab", "test_bbbbbb_users_1"]);
  for (const name of remaining) await client.db(name).dropDatabase();
});

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");

/** Operators, stages and accumulators of MongoDB 5.0 or later. */
const LATER =
  `$bitAnd $bitNot $bitOr $bitXor $bottom $bottomN $changeStreamSplitLargeEvent $covariancePop $covarianceSamp $dateAdd
  $dateDiff $dateSubtract $dateTrunc $denseRank $densify $derivative $documents $documentNumber $expMovingAvg $fill $firstN $getField
  $integral $lastN $linearFill $locf $maxN $median $minN $percentile $rand $rank $sampleRate $setField $setWindowFields $shift
  $sortArray $toHashedIndexKey $top $topN $tsIncrement $tsSecond $unsetField`.split(/\s+/);

it("the product uses nothing that the oldest supported MongoDB lacks", () => {
  const files = globSync(["db/**/*.ts", "worker/**/*.ts", "app/**/*.ts"], { cwd: PROJECT_ROOT }).filter(
    (file) => !file.startsWith("db/engine/"),
  );
  const used = new Set(files.flatMap((file) => read(file).match(/(?<![`\w])\$[a-z]\w+/g) ?? []));
  expect([...used]).toEqual(expect.arrayContaining(["$set", "$group", "$setOnInsert"]));

  expect(LATER.filter((name) => used.has(name))).toEqual([]);
});
