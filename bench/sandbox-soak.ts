/** Mixed runs of ten people in the sandbox, a quarter of them hostile, and what they leave behind. */
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { itemAt, required } from "#domain/required.ts";
import type { SandboxChild } from "#worker/sandbox/child-process.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";
import { CHILD } from "#worker/sandbox/program.ts";
import type { Figure } from "./figures.ts";
import { childrenProcessorMs, ms, toTiming } from "./measure.ts";
import { option, quick } from "./options.ts";
import { BAD, GOOD } from "./sandbox-programs.ts";

export const say = (name: string, value: string) => console.log(`${name.padEnd(52)}${value}`);
export const both = ({ p50, p95 }: { p50: number; p95: number }) => `p50 ${ms(p50)} ms, p95 ${ms(p95)} ms`;

const RUNS = option("runs", quick ? 60 : 500);
const GROWTH_MAX_MB = 40;
const PEOPLE = 10;
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Processes of ours that are still there, whoever their parent has become. */
function leftOver(): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      const [, parent] = required(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)).split(" ");
      return parent === String(process.pid) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(CHILD);
    } catch {
      return false;
    }
  });
}

export async function soak(sandbox: Sandbox): Promise<Figure[]> {
  const resident: number[] = [];
  const descriptors: number[] = [];
  const durations: number[] = [];
  const wrong: string[] = [];
  const servedBy = new WeakMap<SandboxChild, string>();
  const started = performance.now();
  const processorBefore = childrenProcessorMs(process.pid);
  const one = async (n: number) => {
    const hostile = n % 4 === 0;
    const { code, language, ending } = hostile
      ? itemAt(BAD, (n / 4) % BAD.length)
      : itemAt(GOOD, n % GOOD.length);
    const owner = `person ${Math.floor(n / 2) % PEOPLE}`;
    const child = await sandbox.take(owner);
    const served = servedBy.get(child) ?? owner;
    servedBy.set(child, owner);
    if (served !== owner) wrong.push(`a process of ${served} served ${owner}`);
    const timeoutMs = ending === "timed_out" ? 1_000 : 20_000;
    const run = await child.runProgram({ code, language, timeoutMs, memoryMb: 64, allowedImports: null });
    sandbox.giveBack(child, owner);
    if (!hostile) durations.push(run.output.ms);
    if (!isDeepStrictEqual(run.ending, ending)) wrong.push(`${JSON.stringify(run.ending)}: ${code}`);
  };
  for (let n = 0; n < RUNS; n += 2) {
    await Promise.all([one(n), one(n + 1)]);
    if (n % 20 !== 0) continue;
    resident.push(process.memoryUsage.rss() / 2 ** 20);
    descriptors.push(readdirSync("/proc/self/fd").length);
  }
  const tookSeconds = (performance.now() - started) / 1000;
  await sandbox.close();
  const left = leftOver();
  const third = Math.ceil(resident.length / 3);
  const grownMb = mean(resident.slice(-third)) - mean(resident.slice(third, 2 * third));
  say(
    `${RUNS} runs of ten people, a quarter hostile`,
    `${tookSeconds.toFixed(0)} s, ${both(toTiming(durations))} for the others`,
  );
  say(
    "processor time of the processes, for each run",
    `${ms((childrenProcessorMs(process.pid) - processorBefore) / RUNS)} ms`,
  );
  say("resident memory of the parent along the way, MB", resident.map((mb) => mb.toFixed(0)).join(" "));
  say("last third against the middle one", `${grownMb.toFixed(1)} MB`);
  say("open descriptors of the parent along the way", descriptors.join(" "));
  say("runs that ended otherwise than they should", [String(wrong.length), ...wrong].join("\n  "));
  say("processes left", String(left.length));
  if (
    wrong.length + left.length > 0 ||
    grownMb > GROWTH_MAX_MB ||
    required(descriptors.at(-1)) > itemAt(descriptors, 0) + 8
  )
    throw new Error("That is not what it promises");
  const goal = { atMost: GROWTH_MAX_MB };
  return [{ what: `growth of the parent over ${RUNS} runs`, ours: grownMb, unit: "MB", goal }];
}
