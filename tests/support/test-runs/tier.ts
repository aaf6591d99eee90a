/**
 * Decides what this run includes. `npm test` takes a part of the largest tables of cases, `npm test -- --all` takes all of them and the
 * files that end in `.full.test.ts` as well. tests/README.md lists what only a full run includes, with the reason.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { differsFromMain } from "./changes.ts";

export const isFullRun = process.env.CODESHELF_TESTS === "all";

/** A self-contained part runs all its tests if its files differ from the main branch. */
export const isFullRunFor = (folder: string): boolean => isFullRun || differsFromMain(folder);

/** Everyone who tests the same commit gets the same part; the next commit gets another one. */
export const commit = readCommit();

function readCommit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "no repository";
  }
}

const hash = (text: string): number =>
  createHash("sha256").update(`${commit} ${text}`).digest().readUIntBE(0, 6);

/** True for one commit in so many, for other commits with each name; always true in a full run. */
export const isDrawn = (name: string, oneIn: number): boolean => isFullRun || hash(name) % oneIn === 0;

/** All cases in a full run, otherwise `count` of them, in their order; `name` distinguishes the draws of different tables. */
export function drawCases<T>(name: string, cases: readonly T[], count: number): readonly T[] {
  return isFullRun ? cases : drawInEveryRun(name, cases, count);
}

/** For cases so much alike that a full run needs no more of them. */
export function drawInEveryRun<T>(name: string, cases: readonly T[], count: number): readonly T[] {
  if (cases.length <= count) return cases;
  const ranked = cases.map((item, index) => ({ item, index, rank: hash(`${name} ${index}`) }));
  const drawn = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return drawn.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}
