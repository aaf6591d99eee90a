/**
 * 64 writers at once, 10,000 tries on one note (`--writers=`, `--tries=`; `--quick`: 16 and 500) and a tenth as many on tasks, a reminder,
 * one file, the last notes that fit, the active announcement and one form, at one web process and at two on the same store. Fails where
 * an acknowledged write is not in the history exactly once, in the order that the answers tell, or where a quota is missed by one.
 */
import { ensureBuild } from "#db/local/build.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { runRaces } from "#tests/races/races.ts";
import { startWebs } from "#tests/races/webs.ts";
import { withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";

const PROCESSES = [1, 2];

async function raceAt(processes: number): Promise<{ figures: Figure[]; wrong: string[] }> {
  const size = { writers: option("writers", quick ? 16 : 64), tries: option("tries", quick ? 500 : 10_000) };
  return withStore(async ({ databases, db }) => {
    const webs = await startWebs(processes, databases);
    try {
      const outcomes = await runRaces({ callers: webs.callers, db }, size);
      for (const { name, tries, acknowledged, wrong } of outcomes)
        console.log(
          `${processes} web: ${name}: ${acknowledged} of ${tries} acknowledged, ${wrong.length} wrong`,
        );
      return {
        figures: outcomes.map(({ name, acknowledged }) => ({
          what: `${processes} web, ${name}: acknowledged`,
          ours: acknowledged,
          unit: "",
        })),
        wrong: outcomes.flatMap(({ name, wrong }) => wrong.map((sentence) => `${name}: ${sentence}`)),
      };
    } finally {
      await webs.stop();
    }
  });
}

export async function run(): Promise<Figure[]> {
  await ensureBuild({ root: PROJECT_ROOT, env: process.env, log: console.log });
  const figures: Figure[] = [];
  const wrong: string[] = [];
  for (const processes of PROCESSES) {
    const outcome = await raceAt(processes);
    figures.push(...outcome.figures);
    wrong.push(...outcome.wrong);
  }
  if (wrong.length > 0) throw new Error(`That is not what it promises:\n${wrong.join("\n")}`);
  return [...figures, { what: "acknowledged writes lost, repeated or out of order", ours: 0, unit: "" }];
}
