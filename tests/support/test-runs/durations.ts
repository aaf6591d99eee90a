/** How long test files take, as an earlier run recorded it: the longest begin first, and a choice of tests knows its cost. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";

/** Files that draw cases take many times as long in a full run. */
const pathTo = (isFullRun: boolean) =>
  join(PROJECT_ROOT, "tests", isFullRun ? "durations-all.json" : "durations.json");
/** Shorter ones do not change an order. */
const RECORDED_MIN_SECONDS = 1;

/** Seconds by path from the root of the project. */
export type Durations = Readonly<Record<string, number>>;

export type TimedFile = { name: string; startTime: number; endTime: number };

export const readDurations = (isFullRun = false): Durations => ({
  ...read(false),
  ...(isFullRun && read(true)),
});

export function writeDurations(files: readonly TimedFile[], isFullRun: boolean): void {
  const entries = files
    .map(({ name, startTime, endTime }): [string, number] => [
      relative(PROJECT_ROOT, name),
      Math.round((endTime - startTime) / 1_000),
    ])
    .filter(([, seconds]) => seconds >= RECORDED_MIN_SECONDS)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(pathTo(isFullRun), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

function read(isFullRun: boolean): Durations {
  const path = pathTo(isFullRun);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
