import { expect, it, onTestFinished } from "vitest";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { openTestStore } from "#tests/support/store.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";
import { runRaces } from "./races.ts";
import { startWebs, type Webs } from "./webs.ts";

const SIZE = isFullRun ? { writers: 12, tries: 120 } : { writers: 6, tries: 36 };
const store = await openTestStore();

async function givenTwoWebs(): Promise<Webs> {
  const databaseUrl = await createReleasedPostgres();
  const directory = await temporaryDirectory("races");
  const webs = await startWebs(2, { mongodbUri: store.uri, databaseUrl, directory });
  onTestFinished(() => webs.stop());
  return webs;
}

it("many writers at two web processes: every acknowledged write is in the history once, in the order of the answers", {
  timeout: 300_000,
}, async () => {
  const { callers } = await givenTwoWebs();

  const outcomes = await runRaces({ callers, db: store.db }, SIZE);

  expect(outcomes.flatMap(({ name, wrong }) => wrong.map((sentence) => `${name}: ${sentence}`))).toEqual([]);
  expect(outcomes.filter(({ acknowledged }) => acknowledged === 0)).toEqual([]);
});
