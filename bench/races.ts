/**
 * 64 writers at once, 10,000 tries on one note (`--writers=`, `--tries=`; `--quick`: 16 and 500) and a tenth as many on tasks, a reminder,
 * one file, the last notes that fit, the active announcement and one form, at one web process and at two on the same store. Fails where
 * an acknowledged write is not in the history exactly once, in the order that the answers tell, or where a quota is missed by one.
 */
import { connectMongo } from "#db/client.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { releaseQueue } from "#db/jobs/queue.server.ts";
import { ensureBuild } from "#db/local/build.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { silentLog } from "#platform/log.ts";
import { runRaces } from "#tests/races/races.ts";
import { startWebs } from "#tests/races/webs.ts";
import { withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";

const PROCESSES = [1, 2];

async function raceAt(processes: number): Promise<{ figures: Figure[]; wrong: string[] }> {
  const size = { writers: option("writers", quick ? 16 : 64), tries: option("tries", quick ? 500 : 10_000) };
  return withDatabases(async (databases) => {
    const mongo = await connectMongo(databases.mongodbUri, { appName: "codeshelf-bench" });
    await ensureIndexes(mongo.collection);
    await releaseQueue({ databaseUrl: databases.databaseUrl, log: silentLog });
    const webs = await startWebs(processes, databases);
    try {
      const db = { ...mongo.collections, emit: () => {} };
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
      await mongo.close();
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
