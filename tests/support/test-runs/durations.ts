/** How long test files take, as an earlier run recorded it: the longest begin first, and a choice of tests knows its cost. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const PATH = join(PROJECT_ROOT, "tests", "durations.json");
/** Shorter ones do not change an order. */
const RECORDED_MIN_SECONDS = 1;

/** Seconds by path from the root of the project. */
export type Durations = Readonly<Record<string, number>>;

export type TimedFile = { name: string; startTime: number; endTime: number };

export const readDurations = (): Durations =>
  existsSync(PATH) ? JSON.parse(readFileSync(PATH, "utf8")) : {};

export function writeDurations(files: readonly TimedFile[]): void {
  const entries = files
    .map(({ name, startTime, endTime }): [string, number] => [
      relative(PROJECT_ROOT, name),
      Math.round((endTime - startTime) / 1_000),
    ])
    .filter(([, seconds]) => seconds >= RECORDED_MIN_SECONDS)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
