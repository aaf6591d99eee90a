import { expect, test } from "vitest";
import { crashRounds } from "./crash-rounds.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it kills the engine and looks into its files");

test("an acknowledged write is there, whole, after kill -9", async () => {
  const { numRuns } = countRuns(5);

  const report = await crashRounds({ rounds: numRuns, sync: "full" });

  expect(report.acknowledged).toBeGreaterThanOrEqual(numRuns);
  expect(report).toMatchObject({ missing: 0, torn: 0 });
}, 60_000);
