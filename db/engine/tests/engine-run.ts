/**
 * The share of these tests that a run takes, as ENGINE_TESTS says: all of them, or a tenth that is chosen by its value. Most of the
 * product's own tests read and write through the engine as well.
 */
import { createHash } from "node:crypto";

const { ENGINE_TESTS = "all" } = process.env;
const takesAll = ENGINE_TESTS === "all";

const toTenth = (count: number) => (takesAll ? count : Math.ceil(count / 10));

const hash = (text: string) => createHash("sha256").update(`${ENGINE_TESTS} ${text}`).digest("hex");

/** Rows of a table in their order; `name` tells the draws of different tables apart. */
export function drawRows<T>(name: string, rows: readonly T[]): readonly T[] {
  const ranked = rows.map((row, index) => ({ row, rank: hash(`${name} ${index}`) }));
  const drawn = new Set(ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, toTenth(rows.length)));
  return ranked.filter((each) => drawn.has(each)).map(({ row }) => row);
}

/** How often a property is tried. */
export const countRuns = (numRuns: number): { numRuns: number } => ({ numRuns: toTenth(numRuns) });
