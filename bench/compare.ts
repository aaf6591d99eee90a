/**
 * `npm run bench -- compare <commit> <part>… [--rounds=5] [flags of the parts]`: runs the parts on that commit and on the working
 * tree in turns, each as its own bench, so that both meet the same machine; prints for each figure the median of both, their ratio
 * round by round and its spread. The commit is checked out beside the project and uses its packages.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { itemAt } from "#domain/required.ts";
import type { Row } from "./figures.ts";

const ROOT = join(import.meta.dirname, "..");
/** Ignored by git, so a checkout has none of them. */
const PACKAGES = ["node_modules", "db/local/programs/node_modules"];
const ROUNDS = 5;

/** The figures of one round by part and name. */
type Round = Map<string, { ours: number; unit: string }>;
type Comparison = { what: string; unit: string; before: number; after: number; ratios: number[] };

export function compareRounds(rounds: readonly { before: Round; after: Round }[]): Comparison[] {
  const first = itemAt(rounds, 0);
  return [...first.after].flatMap(([what, { unit }]) => {
    const pairs = rounds.flatMap(({ before, after }) => {
      const [old, now] = [before.get(what), after.get(what)];
      return old && now ? [{ old: old.ours, now: now.ours }] : [];
    });
    if (pairs.length === 0) return [];
    return {
      ...{ what, unit },
      before: findMedian(pairs.map(({ old }) => old)),
      after: findMedian(pairs.map(({ now }) => now)),
      ratios: pairs.map(({ old, now }) => now / old).sort((a, b) => a - b),
    };
  });
}

function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? itemAt(sorted, middle)
    : (itemAt(sorted, middle - 1) + itemAt(sorted, middle)) / 2;
}

export async function compareWith([commit = "", ...words]: string[]): Promise<void> {
  const rounds = Number(words.find((word) => word.startsWith("--rounds="))?.split("=")[1] ?? ROUNDS);
  const given = words.filter((word) => !word.startsWith("--rounds="));
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-compare-"));
  const checkout = join(directory, "before");
  try {
    execFileSync("git", ["worktree", "add", "--detach", checkout, commit], { cwd: ROOT, stdio: "inherit" });
    for (const path of PACKAGES)
      if (existsSync(join(checkout, path, ".."))) symlinkSync(join(ROOT, path), join(checkout, path));
    const measured = Array.from({ length: rounds }, (_, round) => {
      console.log(`\n── round ${round + 1} of ${rounds}, load ${itemAt(loadavg(), 0).toFixed(1)}`);
      return { before: runPart(checkout, directory, given), after: runPart(ROOT, directory, given) };
    });
    console.log(`\n${writeTable(compareRounds(measured))}`);
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", checkout], { cwd: ROOT });
    rmSync(directory, { recursive: true, force: true });
  }
}

function runPart(root: string, directory: string, words: string[]): Round {
  const into = join(directory, "figures.json");
  execFileSync(process.execPath, [join(root, "bench", "run.ts"), ...words, `--into=${into}`], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { rows }: { rows: Row[] } = JSON.parse(readFileSync(into, "utf8"));
  return new Map(rows.map(({ part, what, ours, unit }) => [`${part}: ${what}`, { ours, unit }]));
}

function writeTable(comparisons: readonly Comparison[]): string {
  const round = (value: number) => Number(value.toPrecision(3)).toString();
  const lines = comparisons.map(({ what, unit, before, after, ratios }) => {
    const spread = `${round(itemAt(ratios, 0))} to ${round(itemAt(ratios, ratios.length - 1))}`;
    return `| ${what} | ${round(before)} | ${round(after)} | ${unit} | ${round(findMedian(ratios))} | ${spread} |`;
  });
  return ["| what | before | now | unit | ratio | from, to |", "|---|---|---|---|---|---|", ...lines].join(
    "\n",
  );
}
