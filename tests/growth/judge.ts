/** Whether what something costs grows with its input as it should: no faster than n^1.3, and never so long at a time that others wait. */
import { itemAt, required } from "#domain/required.ts";
import type { Reading } from "./meter.ts";

/** Below it, noise says more than the input does. */
const FLOOR_MS = 30;
/**
 * More than twice what the most expensive entry takes, so that a busy machine fails no test and a change in kind does. The benchmark
 * holds the figures themselves against the goal.
 */
export const HELD_MAX_MS = 250;
const EXPONENT_MAX = 1.3;
const TRIES = 3;

type Cost = Pick<Reading, "usedMs" | "longestMs">;
/** What an input of this length costs, made anew with each call. */
type MeasureAt = (length: number) => Promise<Cost>;
type Verdict = { fault: string | null; usedMs: number; longestMs: number };

const least = (one: Cost, other: Cost): Cost => ({
  usedMs: Math.min(one.usedMs, other.usedMs),
  longestMs: Math.min(one.longestMs, other.longestMs),
});

/** What is cheap needs no second look. A fault counts that some tries show, each size at its best. */
export async function judge(measureAt: MeasureAt, length: number): Promise<Verdict> {
  const first = await measureAt(length);
  if (first.usedMs < FLOOR_MS) return { fault: null, ...first };
  const sizes = [Math.floor(length / 4), Math.floor(length / 2), length];
  const costs = [await measureAt(itemAt(sizes, 0)), await measureAt(itemAt(sizes, 1)), first] as [
    Cost,
    Cost,
    Cost,
  ];
  let fault = findFault(costs);
  for (let tried = 1; fault !== null && tried < TRIES; tried += 1) {
    for (const [n, size] of sizes.entries()) costs[n] = least(required(costs[n]), await measureAt(size));
    fault = findFault(costs);
  }
  return { fault, ...costs[2] };
}

/** Costs at n, 2n and 4n. Growth counts where both steps show it: one of them alone may be a stumble of the machine. */
export function findFault([quarter, half, whole]: [Cost, Cost, Cost]): string | null {
  const told = [quarter, half, whole].map(({ usedMs }) => `${usedMs.toFixed(0)} ms`).join(", ");
  if (whole.longestMs > HELD_MAX_MS) return `held the process for ${whole.longestMs.toFixed(0)} ms (${told})`;
  const lastStep = Math.log2(whole.usedMs / half.usedMs);
  const bothSteps = Math.log2(whole.usedMs / quarter.usedMs) / 2;
  const exponent = Math.min(lastStep, bothSteps);
  const isJudged = whole.usedMs >= FLOOR_MS;
  return isJudged && exponent > EXPONENT_MAX ? `grows as n^${exponent.toFixed(1)} (${told})` : null;
}
