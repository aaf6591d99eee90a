/** Whether what something costs grows with its input as it should: no faster than n^1.3, and never so long at a time that others wait. */
import type { Reading } from "./meter.ts";

/** Below it, noise says more than the input does. */
const FLOOR_MS = 30;
const HELD_MAX_MS = 100;
const EXPONENT_MAX = 1.3;
const TRIES = 3;

export type Cost = Pick<Reading, "usedMs" | "longestMs">;
/** What an input of this length costs, made anew with each call. */
export type MeasureAt = (length: number) => Promise<Cost>;
export type Verdict = { fault: string | null; usedMs: number; longestMs: number };

/** The least of some tries; one that is cheap needs no other. */
async function best(measureAt: MeasureAt, length: number, first?: Cost): Promise<Cost> {
  let least = first ?? (await measureAt(length));
  for (let tried = 1; tried < TRIES; tried += 1) {
    const next = await measureAt(length);
    least = {
      usedMs: Math.min(least.usedMs, next.usedMs),
      longestMs: Math.min(least.longestMs, next.longestMs),
    };
  }
  return least;
}

export async function judge(measureAt: MeasureAt, length: number, slowness: number): Promise<Verdict> {
  const first = await measureAt(length);
  const isCheap = first.usedMs < FLOOR_MS * slowness;
  if (isCheap) return { fault: null, ...first };
  const whole = await best(measureAt, length, first);
  const half = await best(measureAt, Math.floor(length / 2));
  const quarter = await best(measureAt, Math.floor(length / 4));
  return { fault: findFault([quarter, half, whole], slowness), ...whole };
}

/** Costs at n, 2n and 4n. Growth counts where both steps show it: one of them alone may be a stumble of the machine. */
export function findFault([quarter, half, whole]: [Cost, Cost, Cost], slowness: number): string | null {
  const told = [quarter, half, whole].map(({ usedMs }) => `${usedMs.toFixed(0)} ms`).join(", ");
  if (whole.longestMs > HELD_MAX_MS * slowness)
    return `held the process for ${whole.longestMs.toFixed(0)} ms (${told})`;
  const lastStep = Math.log2(whole.usedMs / half.usedMs);
  const bothSteps = Math.log2(whole.usedMs / quarter.usedMs) / 2;
  const exponent = Math.min(lastStep, bothSteps);
  const isJudged = whole.usedMs >= FLOOR_MS * slowness;
  return isJudged && exponent > EXPONENT_MAX ? `grows as n^${exponent.toFixed(1)} (${told})` : null;
}

/** What the reference took on two idle cores of the machine on which the limits were set. */
const REFERENCE_MS = 45;

/** How many times slower this machine is right now; never less than once. */
export function measureSlowness(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = process.threadCpuUsage();
    let text = "";
    for (let n = 0; n < 200_000; n += 1) text = `${n}${text}`.slice(0, 50);
    if (text.length === 0) throw new Error("unreachable");
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return Math.max(1, least / REFERENCE_MS);
}
