/**
 * Every hostile text at every entry of the product (`--texts=` for fewer at each, others at each; `--quick`: 8), as `tests/growth` feeds some
 * of them: fails where processor time grows faster than n^1.3 or where the main thread is held for more than 250 ms. The longest hold is
 * reported beside its goal of 100 ms.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "#db/local/build.ts";
import { awaitExit } from "#db/local/processes/server-process.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import type { GrowthReport } from "#tests/growth/report.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";

const SHOWN = 20;
const HELD_GOAL_MS = 100;
const ALL = 1_000_000;

export async function run(): Promise<Figure[]> {
  await ensureBuild({ root: PROJECT_ROOT, env: process.env, log: console.log });
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const report = join(directory, "growth.json");
  try {
    const env = {
      ...process.env,
      CODESHELF_TESTS: "all",
      GROWTH_TEXTS: String(option("texts", quick ? 8 : ALL)),
      GROWTH_REPORT: report,
    };
    const vitest = join(PROJECT_ROOT, "node_modules", ".bin", "vitest");
    const child = spawn(vitest, ["run", "tests/growth"], { cwd: PROJECT_ROOT, env, stdio: "inherit" });
    const { code } = await awaitExit(child);
    const figures = toFigures(JSON.parse(await readFile(report, "utf8")));
    if (code !== 0) throw new Error("Some entries cost more than they should; they are named above.");
    return figures;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const toKB = (bytes: number) => Math.round(bytes / 1024);

function toFigures({ readings }: GrowthReport): Figure[] {
  const dearest = readings.toSorted((a, b) => b.longestMs - a.longestMs).slice(0, SHOWN);
  const longest = readings.toSorted((a, b) => b.answerBytes - a.answerBytes).slice(0, SHOWN);
  for (const { call, feed, text, usedMs, longestMs, answerBytes } of new Set([...dearest, ...longest]))
    console.log(
      `${longestMs.toFixed(0)} ms at once, ${usedMs.toFixed(0)} ms in all, ${toKB(answerBytes)} KB answered: ${call}, ${feed}, ${text}`,
    );
  const faults = readings.filter(({ fault }) => fault !== null).length;
  return [
    { what: "texts fed to entries", ours: readings.length, unit: "" },
    { what: "that cost too much", ours: faults, unit: "", goal: { atMost: 0 } },
    { what: "longest answer", ours: toKB(longest[0]?.answerBytes ?? 0), unit: "KB" },
    {
      what: "longest hold of the main thread",
      ours: dearest[0]?.longestMs ?? 0,
      unit: "ms",
      goal: { atMost: HELD_GOAL_MS },
    },
  ];
}
