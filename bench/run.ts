/**
 * `npm run bench -- <part>…` runs the named parts, or all of them, one after the other; `--quick` with smaller sizes, `--mongodb=<uri>` (or
 * TEST_MONGODB_URI) with the documents on that server. The last thing
 * printed is one table of all figures beside their baselines of the same run, kept in bench/last.json or `--into=`. A part that fails
 * does not stop the others, and makes the run fail; a goal that is missed is only told. `compare <commit> <part>…` runs parts on two
 * commits in turns.
 */

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { describeConnectionProblem, toSafeAddress } from "#db/core/driver/connection-problems.ts";
import { probeMongo } from "#db/core/open-database.ts";
import { awaitExit } from "#db/local/processes/server-process.ts";
import { itemAt } from "#domain/required.ts";
import { beginDatabaseNames, dropDatabases } from "#tests/support/databases/given-mongodb.ts";
import { readServerVersion } from "#tests/support/databases/server-facts.ts";
import { compareWith } from "./compare.ts";
import { type Figure, type Row, toRow, toTable } from "./figures.ts";
import { quick } from "./options.ts";
import { ENGINE_PARTS, PARTS } from "./parts.ts";

const words = process.argv.slice(2);
if (words[0] === "compare") {
  await compareWith(words.slice(1));
  process.exit();
}
const into = words.find((word) => word.startsWith("--into="))?.slice("--into=".length);
const LAST = into ?? join(import.meta.dirname, "last.json");
// The address may hold a password: parts get it by the environment, which other people's lists of processes do not show.
const MONGODB = "--mongodb=";
const flags = words.filter((word) => word.startsWith("--") && !word.startsWith(MONGODB));
const mongodb =
  words.find((word) => word.startsWith(MONGODB))?.slice(MONGODB.length) || process.env.TEST_MONGODB_URI;
const wanted = words.filter((word) => !word.startsWith("--"));
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(", ")}. There are: ${Object.keys(PARTS).join(", ")}`);
  process.exit(1);
}

const databasePrefix = beginDatabaseNames("bench");
const store = mongodb ? await openMongoDB(mongodb) : "the embedded engine";

/** Answers what the documents are kept in, as it stands beside the figures. */
async function openMongoDB(uri: string): Promise<string> {
  process.env.TEST_MONGODB_URI = uri;
  try {
    await probeMongo(uri);
  } catch (error) {
    console.error(describeConnectionProblem(error, "MongoDB", uri));
    process.exit(1);
  }
  return `MongoDB ${await readServerVersion(uri)} at ${toSafeAddress(uri)}`;
}

// A signal reaches the part too; this process waits for it and tells what there is by then.
let stopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => (stopped = true));

async function runPart(name: string): Promise<{ figures: Figure[]; ok: boolean }> {
  const child = fork(join(import.meta.dirname, "part.ts"), [name, ...flags]);
  let figures: Figure[] = [];
  child.once("message", (told) => {
    figures = told as Figure[];
  });
  return { ok: (await awaitExit(child)).code === 0, figures };
}

const rows: Row[] = [];
const failed: string[] = [];
const skipped: string[] = [];
const before = itemAt(loadavg(), 0);
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  if (stopped) break;
  console.log(`\n── ${name}`);
  if (mongodb && ENGINE_PARTS[name]) {
    console.log(`Skipped: ${ENGINE_PARTS[name]}, and the documents are on another server.`);
    skipped.push(name);
    continue;
  }
  const { figures, ok } = await runPart(name);
  if (!ok) failed.push(name);
  rows.push(...figures.map((figure) => toRow(name, figure)));
}

const machine = {
  at: new Date().toISOString(),
  cores: cpus().length,
  node: process.version,
  load: [before, itemAt(loadavg(), 0)],
  store,
};
writeFileSync(LAST, `${JSON.stringify({ ...machine, quick, failed, skipped, rows }, null, 2)}\n`);
const load = machine.load.map((at) => at.toFixed(1)).join(" to ");
console.log(
  `\n── all figures: ${machine.cores} cores, load ${load}, ${store}${quick ? ", quick" : ""}\n\n${toTable(rows)}\n`,
);
const missed = rows.filter(({ met }) => met === false).map(({ part, what }) => `${part}: ${what}`);
console.log(missed.length > 0 ? `Goals missed: ${missed.join("; ")}.` : "No goal is missed.");
if (failed.length > 0) console.log(`Parts that failed: ${failed.join(", ")}.`);
process.exitCode = failed.length > 0 || stopped ? 1 : 0;
if (mongodb) await dropDatabases(mongodb, databasePrefix);
