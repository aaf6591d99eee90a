/**
 * What operators ask, over 1,000,000 events of a week (`--events=` for fewer; `--quick`: 50,000): sums, series, replay and
 * the list of alerts for half an hour, a day and a week, as the web process answers them; and what events and metrics cost
 * the list of files, measured on against off in turns within one run.
 */

import { fork } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { releaseQueue } from "#db/jobs/queue.server.ts";
import { ensureBuild } from "#db/local/build.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { type BenchDatabases, withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { run as load } from "./load.ts";
import { ms, time } from "./measure.ts";
import { fillEvents } from "./observability-fill.ts";
import { option, quick } from "./options.ts";
import { BOT_TOKEN, logIn, ready, type Site, settleIn, stopped } from "./product.ts";

const ROOT = join(import.meta.dirname, "..");
const EVENTS = quick ? 50_000 : 1_000_000;
const ADMIN_ID = "9";
const CALLS = quick ? 10 : 30;
const GOAL_P95_MS = 200;
const RANGES = ["30m", "24h", "7d"];
const QUESTIONS: Record<string, string> = {
  aggregations: "aggregations?",
  "timeseries: alerts": "timeseries?metric=alerts_count&",
  "timeseries: response time": "timeseries?metric=response_time&",
  "timeseries: error rate": "timeseries?metric=error_rate&",
  replay: "replay?",
  "replay: errors": "replay?severity=error&",
  "replay: one name": "replay?event=push_send_error&",
  alerts: "alerts?",
  "alerts: severity": "alerts?severity=critical&",
  "alerts: words": "alerts?search=number%2017&",
  "alerts: page 20": "alerts?page=20&",
};
const ROUNDS = quick ? 2 : 6;
const SECONDS = 3;
const CONNECTIONS = 16;
const GOAL_SHARE = 0.95;

const loadNow = () => `load ${itemAt(loadavg(), 0).toFixed(1)} on ${cpus().length} cores`;

async function askQuestions({ url }: Site, cookie: string): Promise<Figure[]> {
  console.log(`\n| question, p50 / p95 ms (${loadNow()}) | ${RANGES.join(" | ")} |\n|---|---|---|---|`);
  const missed: string[] = [];
  const figures: Figure[] = [];
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const cells: string[] = [];
    for (const range of RANGES) {
      const address = `${url}/api/observability/${question}timerange=${range}`;
      const { p50, p95 } = await time(CALLS, async () => {
        const answer = await fetch(address, { headers: { Cookie: cookie } });
        if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
        await answer.arrayBuffer();
      });
      cells.push(`${ms(p50)} / ${ms(p95)}`);
      figures.push({ what: `${name}, ${range}, p95`, ours: p95, unit: "ms", goal: { atMost: GOAL_P95_MS } });
      if (p95 >= GOAL_P95_MS) missed.push(`${name}, ${range}`);
    }
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
  console.log(
    missed.length > 0
      ? `\nat ${GOAL_P95_MS} ms or above: ${missed.join("; ")}`
      : `\nall below ${GOAL_P95_MS} ms`,
  );
  return figures;
}

async function startObserved(databases: BenchDatabases, observed: boolean): Promise<Site> {
  const child = fork(join(import.meta.dirname, "observed-web.ts"), [], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      CODESHELF_EMBEDDED: "1",
      OBSERVED: observed ? "1" : "0",
      DATA_DIR: databases.directory,
      MONGODB_URI: databases.mongodbUri,
      DATABASE_URL: databases.databaseUrl,
      MESSENGER_BOT_TOKEN: BOT_TOKEN,
      ADMIN_USER_IDS: ADMIN_ID,
      RATE_LIMIT_REQUESTS_PER_MINUTE: "1000000",
      RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
      RATE_LIMIT_UPLOADS_PER_MINUTE: "1000000",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return { url: await ready(child), pid: required(child.pid), stop: () => stopped(child) };
}

/** Never the same address, so that no page is answered from memory; a search is an event of its own. */
async function listsPerSecond({ url }: Site, cookie: string, from: number): Promise<number> {
  const { perSecond } = await load({
    url: (n) => `${url}/files?q=return&n=${from + n}`,
    headers: { Accept: "text/html", "Accept-Encoding": "identity", Cookie: cookie },
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  return perSecond;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Both processes live through the whole run and take turns, so that what disturbs the machine disturbs both. */
async function compareThroughput(on: Site, off: Site): Promise<Figure> {
  const [{ cookie: cookieOn }, { cookie: cookieOff }] = [await settleIn(on.url), await settleIn(off.url)];
  const shares: number[] = [];
  const counted: { on: number[]; off: number[] } = { on: [], off: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const turn = {
      on: () => listsPerSecond(on, cookieOn, round * 1_000_000),
      off: () => listsPerSecond(off, cookieOff, round * 1_000_000),
    };
    const found = { on: 0, off: 0 };
    for (const side of round % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const))
      found[side] = await turn[side]();
    // The first round warms both up.
    if (round === 0) continue;
    shares.push(found.on / found.off);
    counted.on.push(found.on);
    counted.off.push(found.off);
  }
  const share = required(median(shares));
  console.log(
    `\nlist page with a search, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s in turns (${loadNow()}):` +
      ` ${required(median(counted.on)).toFixed(0)}/s with events and metrics, ${required(median(counted.off)).toFixed(0)}/s without:` +
      ` ${(100 * share).toFixed(1)} % (rounds ${shares.map((one) => (100 * one).toFixed(0)).join(", ")};` +
      ` goal ${100 * GOAL_SHARE} %${share >= GOAL_SHARE ? "" : ", missed"})`,
  );
  const [ours, baseline] = [required(median(counted.off)) * share, median(counted.off)];
  const goal = { atLeast: GOAL_SHARE, of: "ratio" } as const;
  return {
    what: "list page with events and metrics, beside without",
    ours,
    baseline,
    unit: "requests/s",
    goal,
  };
}

export function run(): Promise<Figure[]> {
  return withStore(async (databases, mongo) => {
    await releaseQueue({ databaseUrl: databases.databaseUrl, log: silentLog });
    await ensureBuild({ root: ROOT, env: process.env, log: console.log });
    const started = performance.now();
    const filled = await fillEvents(mongo.collections, option("events", EVENTS), new Date());
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    console.log(
      `# Observability: ${filled.toLocaleString("en")} events, made in ${seconds} s (${loadNow()})`,
    );
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const web = await startObserved(databases, true);
      closing.push(() => web.stop());
      const answers = await askQuestions(web, await logIn(web.url, ADMIN_ID));
      const silent = await startObserved(databases, false);
      closing.push(() => silent.stop());
      return [...answers, await compareThroughput(web, silent)];
    } finally {
      for (const close of closing.reverse()) await close();
    }
  });
}
