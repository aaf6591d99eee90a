/**
 * `npm run bench -- <part>…` runs the named parts, or all of them, one after the other; `--quick` with smaller sizes. The last thing
 * printed is one table of all figures beside their baselines of the same run, kept in bench/last.json or `--into=`. A part that fails
 * does not stop the others, and makes the run fail; a goal that is missed is only told.
 */
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { exitOf } from "#db/local/server-process.ts";
import { type Figure, type Row, rowOf, tableOf } from "./figures.ts";
import { quick } from "./options.ts";
import { PARTS } from "./parts.ts";

const words = process.argv.slice(2);
const into = words.find((word) => word.startsWith("--into="))?.slice("--into=".length);
const LAST = into ?? join(import.meta.dirname, "last.json");
const flags = words.filter((word) => word.startsWith("--"));
const wanted = words.filter((word) => !word.startsWith("--"));
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(", ")}. There are: ${Object.keys(PARTS).join(", ")}`);
  process.exit(1);
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
  return { ok: (await exitOf(child)).code === 0, figures };
}

const rows: Row[] = [];
const failed: string[] = [];
const before = loadavg()[0]!;
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  if (stopped) break;
  console.log(`\n── ${name}`);
  const { figures, ok } = await runPart(name);
  if (!ok) failed.push(name);
  rows.push(...figures.map((figure) => rowOf(name, figure)));
}

const machine = {
  at: new Date().toISOString(),
  cores: cpus().length,
  node: process.version,
  load: [before, loadavg()[0]!],
};
writeFileSync(LAST, `${JSON.stringify({ ...machine, quick, failed, rows }, null, 2)}\n`);
const load = machine.load.map((at) => at.toFixed(1)).join(" to ");
console.log(
  `\n── all figures: ${machine.cores} cores, load ${load}${quick ? ", quick" : ""}\n\n${tableOf(rows)}\n`,
);
const missed = rows.filter(({ met }) => met === false).map(({ part, what }) => `${part}: ${what}`);
console.log(missed.length > 0 ? `Goals missed: ${missed.join("; ")}.` : "No goal is missed.");
if (failed.length > 0) console.log(`Parts that failed: ${failed.join(", ")}.`);
process.exitCode = failed.length > 0 || stopped ? 1 : 0;
