import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { run } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { compareRounds } from "../../bench/compare.ts";

/** The one part that needs no databases, with numbers that it cannot or can reckon with. */
async function bench(...flags: string[]) {
  const into = join(await temporaryDirectory("bench"), "last.json");
  const words = [join(PROJECT_ROOT, "bench", "run.ts"), "scaling", ...flags, `--into=${into}`];
  const running = run(process.execPath, words, { env: process.env });
  const { code } = await running.exit;
  return { code, said: running.lines.join("\n"), kept: JSON.parse(await readFile(into, "utf8")) };
}

it("a missed goal is told, and does not fail the run", async () => {
  const { code, said, kept } = await bench("--users=1000", "--goal-ms=0");

  expect(kept.rows[0]).toMatchObject({ part: "scaling", unit: "ms", goal: "≤ 0", met: false });
  expect(said).toContain(`| scaling | ${kept.rows[0].what} |`);
  expect(said).toContain(`Goals missed: scaling: ${kept.rows[0].what}.`);
  expect(code).toBe(0);
});

it("a part that fails fails the run, which still ends with its table", async () => {
  const { code, said, kept } = await bench("--users=many");

  expect(kept).toMatchObject({ failed: ["scaling"], rows: [] });
  expect(said).toContain("Parts that failed: scaling.");
  expect(code).toBe(1);
});

describe("two commits", () => {
  const round = (ours: number, others: Record<string, number> = {}) =>
    new Map(
      Object.entries({ save: ours, ...others }).map(([what, value]) => [what, { ours: value, unit: "ms" }]),
    );

  it("are compared round by round, by what both measure", () => {
    const rounds = [
      { before: round(10), after: round(5, { added: 1 }) },
      { before: round(40), after: round(20, { added: 1 }) },
      { before: round(20), after: round(16, { added: 1 }) },
    ];

    expect(compareRounds(rounds)).toEqual([
      { what: "save", unit: "ms", before: 20, after: 16, ratios: [0.5, 0.5, 0.8] },
    ]);
  });
});
