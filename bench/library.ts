/**
 * One person's library on the embedded engine, synced to disk: lists, searches, the file page's reads and a save, at 1,000 and
 * 10,000 files of 3 KB, with `--full` also 100,000; how each grows with the library, and the plan of each query.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectMongo, type Db } from "#db/client.ts";
import { filterOf, type Span, sortOf, spanOf } from "#db/file-filters.server.ts";
import { searchFiles, withNumbers } from "#db/file-search.server.ts";
import { findFile, listFiles, readBody, saveFile } from "#db/files.server.ts";
import { ensureIndexes } from "#db/indexes.ts";
import { startEngine } from "#db/local/engine.ts";
import { fillLibrary } from "#db/local/library.ts";
import { postingRange } from "#db/postings.server.ts";
import type { FileNarrowing } from "#domain/file-query.ts";
import { isRefusal } from "#domain/refusal.ts";
import { ms, type Timing, time } from "./measure.ts";

const OWNER = "1";
const NOW = new Date("2026-11-14T12:00:00.000Z");
const CALLS = 60;
const MAX_SEARCH_MS = 50;
const page = { sort: "created_at_desc", limit: 20 } as const;

const LISTS: Record<string, FileNarrowing> = {
  list: {},
  "list: language": { lang: "python" },
  "list: favourites and language": { lang: "go", category: "favorites" },
  "list: tag": { category: "work" },
  "list: recent": { category: "recent" },
};
const SEARCHES: Record<string, string> = {
  "search: rare word": "xylophone",
  "search: common word": "created",
  "search: Hebrew": "תזכורת למשתמש",
  "search: no hit": "quetzalcoatl",
  "search: two letters": "go",
};

async function measure(db: Db): Promise<Record<string, Timing>> {
  const found: Record<string, Timing> = {};
  const fine = async <T>(work: Promise<T>) => {
    const answer = await work;
    if (isRefusal(answer)) throw new Error(answer.refused);
    return answer;
  };
  for (const [name, narrowing] of Object.entries(LISTS))
    found[name] = await time(CALLS, () => fine(listFiles(db, OWNER, { ...narrowing, ...page })));
  for (const [name, q] of Object.entries(SEARCHES))
    found[name] = await time(CALLS, () => fine(searchFiles(db, OWNER, { q, ...page })));
  const some = await db.files.find({ user_id: OWNER, deleted_at: null }).limit(CALLS).toArray();
  found["file page"] = await time(CALLS, async (call) => {
    const file = await findFile(db, OWNER, some[call % some.length]._id.toHexString());
    await readBody(db, OWNER, file!);
  });
  const body = (await readBody(db, OWNER, (await findFile(db, OWNER, some[0]._id.toHexString()))!)) as string;
  found.save = await time(CALLS, (call) =>
    fine(saveFile(db, OWNER, { file_name: `saved-${call}.py`, body: `${body}${call}` }, NOW)),
  );
  return found;
}

function print(sizes: number[], figures: Record<string, Timing>[]): void {
  console.log(
    `\n| p50 / p95, ms | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} | growth of p50 |`,
  );
  console.log(`|---|${"---|".repeat(sizes.length + 1)}`);
  for (const name of Object.keys(figures[0])) {
    const cells = figures.map((at) => `${ms(at[name].p50)} / ${ms(at[name].p95)}`);
    const growth = figures.at(-1)![name].p50 / figures[0][name].p50;
    console.log(`| ${name} | ${cells.join(" | ")} | ${growth.toFixed(2)} |`);
  }
  const at10k = figures[sizes.indexOf(10_000)];
  const worst = Math.max(...Object.keys(SEARCHES).map((name) => at10k[name].p95));
  console.log(`\nSlowest search p95 at 10,000 files: ${ms(worst)} ms (at most ${MAX_SEARCH_MS}).`);
}

type Plan = { stage?: string; indexName?: string; inputStage?: Plan; inputStages?: Plan[] };

function told(plan: Plan): string {
  const below = [plan.inputStage, ...(plan.inputStages ?? [])].filter((part) => part !== undefined);
  const own = plan.indexName ? `${plan.stage} ${plan.indexName}` : String(plan.stage);
  return [own, ...below.map(told)].join(" ← ");
}

async function explain(db: Db, mongo: Connection): Promise<void> {
  const plans: [string, Plan][] = [];
  for (const [name, narrowing] of Object.entries(LISTS)) {
    const { order } = spanOf({ ...narrowing, ...page }) as Span;
    const { queryPlanner } = await db.files
      .find(filterOf(OWNER, narrowing))
      .sort(sortOf(order))
      .limit(21)
      .explain();
    plans.push([name, queryPlanner.winningPlan]);
  }
  const finds: [string, string, object][] = [
    ["search: postings of a gram", "postings", postingRange(`${OWNER}:abc`)],
    ["search: files by number", "files", { ...filterOf(OWNER, {}), ...withNumbers([1, 2]) }],
    ["search: not indexed yet", "files", { ...filterOf(OWNER, {}), unindexed: { $gt: "" } }],
    ["search: texts", "file_bodies", { _id: { $in: ["a:1", "b:1"] }, user_id: OWNER }],
    ["save: the name", "files", { ...filterOf(OWNER, {}), file_name: "a" }],
  ];
  for (const [name, collection, filter] of finds) {
    const { queryPlanner } = await mongo.collection(collection).find(filter).explain();
    plans.push([name, queryPlanner.winningPlan]);
  }
  console.log("");
  for (const [name, plan] of plans) console.log(`${name}: ${told(plan)}`);
  const scans = plans.filter(([, plan]) => /COLLSCAN|SORT/.test(told(plan)));
  console.log(scans.length === 0 ? "No collection is scanned." : `Scanned: ${scans.map(([name]) => name)}`);
}

export async function run(): Promise<void> {
  const sizes = [1_000, 10_000, ...(process.argv.includes("--full") ? [100_000] : [])];
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-library-"));
  const engine = await startEngine({ directory, log: () => {} });
  const mongo = await connectMongo(engine.uri, { appName: "codeshelf-bench", timeoutMs: 60_000 });
  try {
    await ensureIndexes(mongo.collection);
    const db: Db = { ...mongo.collections, emit: () => {} };
    const figures: Record<string, Timing>[] = [];
    let present = 0;
    for (const size of sizes) {
      const startedAt = performance.now();
      await fillLibrary(db, { ownerId: OWNER, from: present, to: size, now: NOW });
      const perSecond = (size - present) / ((performance.now() - startedAt) / 1000);
      console.log(`${size} files; filled at ${Math.round(perSecond)} files/s`);
      present = size;
      figures.push(await measure(db));
    }
    print(sizes, figures);
    await explain(db, mongo);
  } finally {
    await mongo.close();
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
