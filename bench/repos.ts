/**
 * A mirrored repository at 5,000 and 10,000 files of about 3 KB (`--quick`: 500 and
 * 1,000): the first mirror, a sync of 20 changed files, a sync of nothing, and searches through its texts; beside what git
 * alone takes for the same.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connectMongo, type Db } from "#db/client.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { sampleText } from "#db/local/sample/sample-texts.ts";
import { createRepo, findRepo, type RepoRecord } from "#db/repos/repos.server.ts";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { HANDLERS } from "#worker/handlers.ts";
import type { WorkerServices } from "#worker/job.ts";
import { IMPORT_LIMITS } from "#worker/library-import/config.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { ms, time } from "./measure.ts";
import { quick } from "./options.ts";

const DATA_KEYS = () => ({ current: "a key that is for the bench", previous: null, sessionSecret: "" });
const OWNER = "1";
const CALLS = 30;
const CHANGED = 20;
const SEARCHES: Record<string, string> = {
  "rare word": "xylophone",
  "common word": "created",
  Hebrew: "תזכורת למשתמש",
  "no hit": "quetzalcoatl",
};

type Row = { what: string; ours: string; git: string; figure: Omit<Figure, "what"> };

const elapsed = async (work: () => unknown) => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};
const seconds = (value: number) => `${(value / 1_000).toFixed(2)} s`;

function git(cwd: string, args: string[], input = ""): void {
  execFileSync("git", args, { cwd, input, stdio: ["pipe", "ignore", "ignore"] });
}

/** Commits files by one stream, without a working copy. */
function commitAll(cwd: string, files: [path: string, body: string][], from: string | null): void {
  const who = "committer Bench <bench@example.com> 1767225600 +0000";
  const parts = files.map(
    ([path, body]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(body)}\n${body}\n`,
  );
  const parent = from === null ? "" : `from ${from}\n`;
  git(
    cwd,
    ["fast-import", "--quiet"],
    `commit refs/heads/main\n${who}\ndata 5\nbench\n${parent}${parts.join("")}\n`,
  );
}

function createServices(db: Db, root: string): WorkerServices {
  return {
    db,
    log: silentLog,
    clock: () => new Date(),
    workerId: "bench",
    lock: { held: true, acquiredAt: new Date(), release: async () => {} },
    push: { send: null, maxAttempts: 1, close: () => {} },
    runCode: async () => ({ outcome: "withdrawn" }),
    mirror: {
      root,
      allowLocal: true,
      dataKeys: DATA_KEYS,
      everyMinutes: 60,
      timeoutMs: 600_000,
      maxBytes: 500_000_000,
      maxFiles: 20_000,
      maxBytesPerPerson: 10_000_000_000,
    },
    backups: null,
    imports: { directory: root, quota: { maxPerUser: 1_000 }, ...IMPORT_LIMITS },
  };
}

async function measure(db: Db, directory: string, count: number): Promise<Row[]> {
  const remote = join(directory, `remote-${count}`, "bench", `files${count}`);
  mkdirSync(remote, { recursive: true });
  git(remote, ["init", "--quiet", "--bare", "--initial-branch=main"]);
  commitAll(remote, sampleTexts(count), null);
  const url = pathToFileURL(remote).href;
  const rule = { allowLocal: true, dataKeys: DATA_KEYS };
  const repo = await createRepo(db, OWNER, { url }, rule, new Date());
  if (isRefusal(repo)) throw new Error(repo.refused);
  const bench = createServices(db, join(directory, "mirrors"));
  const sync = () =>
    HANDLERS.repo_sync({
      services: bench,
      payload: { repo_id: repo.id },
      signal: new AbortController().signal,
      report: async () => {},
      trigger: "scheduled",
      writeLog: () => {},
    });
  const plain = join(directory, `plain-${count}`);
  const rows: Row[] = [];
  const told = async (what: string, ours: () => unknown, theirs: () => unknown) =>
    rows.push(toRow(what, await elapsed(ours), await elapsed(theirs)));
  const fetchPlain = () => git(plain, ["fetch", "--quiet"]);
  await told("first mirror", sync, () => git(directory, ["clone", "--quiet", "--mirror", url, plain]));
  commitAll(
    remote,
    sampleTexts(CHANGED).map(([path, body]) => [path, `${body}\n// changed\n`]),
    "refs/heads/main^0",
  );
  await told(`sync of ${CHANGED} changed files`, sync, fetchPlain);
  await told("sync of nothing new", sync, fetchPlain);
  rows.push(...(await searches(db, required(await findRepo(db, OWNER, repo.repo_name, new Date())), plain)));
  return rows;
}

const toRow = (what: string, ours: number, baseline: number): Row => ({
  what,
  ours: seconds(ours),
  git: seconds(baseline),
  figure: { ours, baseline, unit: "ms" },
});

const sampleTexts = (count: number) =>
  Array.from({ length: count }, (_, i): [string, string] => {
    const { file_name, body } = sampleText(i);
    return [`src/d${i % 100}/${file_name}`, body];
  });

async function searches(db: Db, repo: RepoRecord, plain: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, q] of Object.entries(SEARCHES)) {
    const ours = await time(CALLS, () => searchRepo(db, repo, { q, limit: 30 }));
    // git grep ends with 1 where nothing is found.
    const theirs = await time(5, () => spawnSync("git", ["grep", "-ilF", "-e", q, "main"], { cwd: plain }));
    const told = ({ p50, p95 }: typeof ours) => `${ms(p50)} / ${ms(p95)} ms`;
    const figure = { ours: ours.p50, baseline: theirs.p50, unit: "ms" };
    rows.push({ what: `search: ${name}`, ours: told(ours), git: told(theirs), figure });
  }
  return rows;
}

export async function run(): Promise<Figure[]> {
  const sizes = quick ? [500, 1_000] : [5_000, 10_000];
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-repos-"));
  const documents = await startDocuments(directory);
  const mongo = await connectMongo(documents.uri, { appName: "codeshelf-bench", timeoutMs: 120_000 });
  try {
    await ensureIndexes(mongo.collection);
    const db: Db = { ...mongo.collections, emit: () => {} };
    const figures: Figure[] = [];
    for (const count of sizes) {
      const rows = await measure(db, directory, count);
      const load = itemAt(loadavg(), 0).toFixed(1);
      console.log(
        `\n| ${count.toLocaleString("en")} files, load ${load} | here | git alone |\n|---|---|---|`,
      );
      for (const { what, ours, git: theirs } of rows) console.log(`| ${what} | ${ours} | ${theirs} |`);
      figures.push(
        ...rows.map(({ what, figure }) => ({ what: `${what}, ${count} files, beside git`, ...figure })),
      );
    }
    return figures;
  } finally {
    await mongo.close();
    await documents.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
