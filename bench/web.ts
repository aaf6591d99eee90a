/**
 * Home, login and the list of 20 files, as the product serves them in production mode, beside bare Express sending the same
 * bytes and Express with React rendering the same elements, in the same run. Then how long `npm start` takes until a page is served.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#db/local/processes/free-port.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { givenMongoDB, newGivenDatabase } from "#tests/support/databases/given-mongodb.ts";
import { type BenchDatabases, withDatabases } from "./databases.ts";
import type { Figure, Goal } from "./figures.ts";
import { type LoadResult, run as load } from "./load.ts";
import { ms, processorMs } from "./measure.ts";
import { quick } from "./options.ts";
import { BOT_TOKEN, type Site, settleIn, startBaseline, startWeb } from "./product.ts";

const CONNECTIONS = 16;
const SECONDS = quick ? 2 : 5;
const ROUNDS = quick ? 1 : 3;
/** What a page has to reach of the same markup rendered by Express and React. */
const MIN_SHARE = 0.5;
const MAX_START_S = 2;
const BROWSER = { Accept: "text/html", "Accept-Encoding": "identity" };

interface BenchedPage {
  path: string;
  /** A different address each time: a page that is made within the minute is remembered by its address, too. */
  fresh?: true;
}

const PAGES: Record<string, BenchedPage> = {
  home: { path: "/" },
  login: { path: "/login" },
  "list of 20": { path: "/files" },
  "list of 20, never the same": { path: "/files", fresh: true },
};

interface Measured extends LoadResult {
  cpuMs: number;
}

async function measured(
  pid: number,
  url: string,
  headers: Record<string, string>,
  fresh = false,
): Promise<Measured> {
  const before = processorMs(pid);
  const toAddress = (n: number): string => (fresh ? `${url}?n=${n}` : url);
  const result = await load({ url: toAddress, headers, connections: CONNECTIONS, seconds: SECONDS });
  return { ...result, cpuMs: (processorMs(pid) - before) / result.answered };
}

function row(name: string, result: Measured, baseline: Measured): string {
  const cells = [
    result.perSecond.toFixed(0),
    ms(result.p50),
    ms(result.p99),
    `${((100 * result.perSecond) / baseline.perSecond).toFixed(0)} %`,
    ms(result.cpuMs),
    `${((100 * baseline.cpuMs) / result.cpuMs).toFixed(0)} %`,
  ];
  return name.padEnd(34) + cells.map((cell) => cell.padStart(10)).join("");
}

/** The best of the rounds: what disturbs only ever slows down. */
const best = (results: Measured[]): Measured =>
  results.reduce((a, b) => ({
    ...(b.perSecond > a.perSecond ? b : a),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
  }));

async function comparePage(
  name: string,
  { path, fresh }: BenchedPage,
  product: Site,
  cookie: string,
  directory: string,
): Promise<Figure[]> {
  const headers: Record<string, string> = { ...BROWSER, Cookie: path === "/files" ? cookie : "" };
  const html = await (await fetch(product.url + path, { headers })).text();
  const file = join(directory, "page.html");
  writeFileSync(file, html);
  const baseline = await startBaseline("web-baseline.ts", file);
  const targets = {
    product: { pid: product.pid, url: product.url + path },
    react: { pid: baseline.pid, url: `${baseline.url}/react` },
    bare: { pid: baseline.pid, url: `${baseline.url}/bare` },
  };
  const results: Record<string, Measured[]> = { bare: [], react: [], product: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const [target, { pid, url }] of Object.entries(targets))
      required(results[target]).push(await measured(pid, url, headers, fresh));
  await baseline.stop();
  const react = best(required(results.react));
  console.log(
    row(`${name} (${(html.length / 1024).toFixed(1)} KB): product`, best(required(results.product)), react),
  );
  console.log(row("  Express + React", react, react));
  console.log(row("  bare Express", best(required(results.bare)), react));
  const [ours, bare] = [best(required(results.product)), best(required(results.bare))];
  const beside = (what: string, baseline: Measured, goal?: Goal): Figure => ({
    what: `${name}, beside ${what}`,
    ours: ours.perSecond,
    baseline: baseline.perSecond,
    unit: "requests/s",
    goal,
  });
  return [
    beside("Express + React", react, { atLeast: MIN_SHARE, of: "ratio" }),
    beside("bare Express", bare),
  ];
}

/** What production asks for where the documents are not in the embedded engine. */
const configured = (mongodbUri: string) => ({
  MONGODB_URI: mongodbUri,
  NODE_ENV: "production" as const,
  HOST: "127.0.0.1",
  MESSENGER_BOT_TOKEN: BOT_TOKEN,
  MESSENGER_BOT_NAME: "bench_bot",
  SESSION_SECRET: "a session secret for the bench",
  DATA_KEY: "a data key for the bench, long enough",
});

/** The seconds from the command to the first page, everything installed and built: with new data, then with what that start made. */
async function measureStarts(): Promise<{ first: number; later: number }> {
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-bench-start-"));
  const database = givenMongoDB ? newGivenDatabase(givenMongoDB, "start") : null;
  const env = { ...process.env, ...(database && configured(database.uri)), DATA_DIR: directory };
  try {
    return { first: await measureStart(env), later: await measureStart(env) };
  } finally {
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureStart(env: NodeJS.ProcessEnv): Promise<number> {
  const port = await freePort(0);
  const started = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: PROJECT_ROOT,
    env: { ...env, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  const exit = once(child, "exit");
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seconds = (performance.now() - started) / 1000;
  process.kill(-required(child.pid), "SIGINT");
  await exit;
  return seconds;
}

async function comparePages(databases: BenchDatabases): Promise<Figure[]> {
  const product = await startWeb(databases);
  try {
    const { cookie } = await settleIn(product.url);
    const figures: Figure[] = [];
    for (const [name, page] of Object.entries(PAGES))
      figures.push(...(await comparePage(name, page, product, cookie, databases.directory)));
    return figures;
  } finally {
    await product.stop();
  }
}

export async function run(): Promise<Figure[]> {
  console.log(`# The web process (${CONNECTIONS} connections, best of ${ROUNDS} rounds of ${SECONDS} s)\n`);
  const columns = ["per s", "p50 ms", "p99 ms", "of React", "CPU ms", "of React"];
  console.log("page".padEnd(34) + columns.map((column) => column.padStart(10)).join(""));
  const figures = await withDatabases(comparePages);
  const { first, later } = await measureStarts();
  console.log(
    `\nnpm start, installed and built, to the first page: ${first.toFixed(1)} s, later ${later.toFixed(1)} s`,
  );
  return [
    ...figures,
    { what: "npm start to the first page, with new data", ours: first, unit: "s" },
    { what: "npm start to the first page, later", ours: later, unit: "s", goal: { atMost: MAX_START_S } },
  ];
}
