/**
 * One file with its text over the JSON API, by a token: one request after another, and 16 connections at once, beside Express and
 * SQLite with the same answer in the same run. Tells the processor time of the web process and of the store apart.
 */

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { required } from "#domain/required.ts";
import { type BenchDatabases, withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { type LoadResult, run as load } from "./load.ts";
import { ms, processorMs } from "./measure.ts";
import { quick } from "./options.ts";
import { createToken, logIn, type Site, saveFile, startBaseline, startWeb } from "./product.ts";

const SECONDS = quick ? 2 : 5;
const ROUNDS = quick ? 1 : 3;
const CONNECTIONS = 16;
/** What the two are allowed for one answer: of the baseline's time, and of the processor in the web process. */
const MAX_RATIO = 1.5;
const MAX_PROCESSOR_MS = 1.5;

type Target = { url: string; pid: number; enginePid: number | null };
type Measured = LoadResult & { cpuMs: number; engineMs: number };

/** A text of a usual length: about three kilobytes. */
const TEXT = Array.from(
  { length: 75 },
  (_, i) => `export const value${i} = compute(${i}, "line ${i}");`,
).join("\n");

async function measure({ url, pid, enginePid }: Target, token: string, connections: number) {
  const spent = () => ({ web: processorMs(pid), engine: enginePid === null ? 0 : processorMs(enginePid) });
  const before = spent();
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
  const result = await load({ url: () => url, headers, connections, seconds: SECONDS });
  const after = spent();
  return {
    ...result,
    cpuMs: (after.web - before.web) / result.answered,
    engineMs: (after.engine - before.engine) / result.answered,
  };
}

/** The best of the rounds: what disturbs only ever slows down. */
const best = (results: Measured[]): Measured =>
  results.reduce((a, b) => ({
    ...(b.p50 < a.p50 ? b : a),
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
    engineMs: Math.min(a.engineMs, b.engineMs),
  }));

const cells = ({ perSecond, p50, p99, cpuMs, engineMs }: Measured) =>
  [perSecond.toFixed(0), ...[p50, p99, cpuMs, engineMs].map(ms)].map((cell) => cell.padStart(10)).join("");

async function compare(ours: Target, baseline: Target, token: string, connections: number) {
  const [our, its]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    our.push(await measure(ours, token, connections));
    its.push(await measure(baseline, token, connections));
  }
  const [product, express] = [best(our), best(its)];
  const at = connections === 1 ? "one after another" : `${connections} at once`;
  console.log(`${at}: product`.padEnd(34) + cells(product));
  console.log("  Express and SQLite".padEnd(34) + cells(express));
  return { at, product, express };
}

async function measureBoth({ directory, enginePid }: BenchDatabases, web: Site): Promise<Figure[]> {
  const cookie = await logIn(web.url, "7");
  const token = await createToken(web.url, cookie);
  const id = await saveFile(web.url, cookie, "one.ts", TEXT);
  const path = `/api/file/${id}?content=1`;
  const answer = await fetch(web.url + path, { headers: { Authorization: `Bearer ${token}` } });
  const { file } = (await answer.json()) as { file: object };
  const kept = join(directory, "file.json");
  writeFileSync(kept, JSON.stringify({ token, file }));
  const express = await startBaseline("json-baseline.ts", kept);
  const ours = { url: web.url + path, pid: web.pid, enginePid };
  const baseline = { url: `${express.url}/file/${id}`, pid: express.pid, enginePid: null };
  const figures: Figure[] = [];
  for (const connections of [1, CONNECTIONS]) {
    const { at, product, express } = await compare(ours, baseline, token, connections);
    figures.push(
      {
        what: `one file as JSON, ${at}, p50`,
        ours: product.p50,
        baseline: express.p50,
        unit: "ms",
        goal: { atMost: MAX_RATIO, of: "ratio" },
      },
      {
        what: `one file as JSON, ${at}, processor time of the web process`,
        ours: product.cpuMs,
        baseline: express.cpuMs,
        unit: "ms",
        goal: { atMost: MAX_PROCESSOR_MS },
      },
    );
  }
  await express.stop();
  return figures;
}

export function run(): Promise<Figure[]> {
  console.log(`# One file as JSON (best of ${ROUNDS} rounds of ${SECONDS} s)\n`);
  const columns = ["per s", "p50 ms", "p99 ms", "CPU ms", "store ms"];
  console.log(" ".repeat(34) + columns.map((column) => column.padStart(10)).join(""));
  return withDatabases(async (databases) => {
    const web = await startWeb(databases);
    try {
      return await measureBoth(databases, web);
    } finally {
      await web.stop();
      console.log(`load ${required(loadavg()[0]).toFixed(1)}`);
    }
  });
}
