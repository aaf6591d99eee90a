/**
 * The share of the engine's tests that this run takes: all of them before a release and where files of the engine differ from the main branch,
 * otherwise a tenth. Most of the product's own tests read and write through the engine as well.
 */
import { drawCases, isFullRunOf } from "#tests/support/test-runs/tier.ts";

const takesAll = isFullRunOf("db/engine");

const toTenth = (count: number) => (takesAll ? count : Math.ceil(count / 10));

/** Rows of a table; `name` tells the draws of different tables apart. */
export const drawRows = <T>(name: string, rows: readonly T[]): readonly T[] =>
  drawCases(`engine: ${name}`, rows, toTenth(rows.length), takesAll);

/** How often a property is tried. */
export const countRuns = (numRuns: number): { numRuns: number } => ({ numRuns: toTenth(numRuns) });
