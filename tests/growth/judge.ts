/**
 * Judges how cost grows with input: time and answer size must not grow faster than n^1.3, no turn may block others for too long, and no
 * answer may be unbounded.
 */
import { itemAt, required } from "#domain/required.ts";
import type { Reading } from "./meter.ts";

/** Below this, noise exceeds the effect of the input. */
const FLOOR_MS = 30;
/**
 * More than twice the cost of the most expensive entry, so that a busy machine fails no test and a change in kind does. The benchmark
 * compares the figures themselves with the goal.
 */
export const HELD_MAX_MS = 250;
/** Below this, most of an answer is the page around the content. */
const FLOOR_BYTES = 400_000;
/** A page may show its input, and HTML or colouring makes several characters of each. */
const ANSWER_BASE_BYTES = 1024 * 1024;
const ANSWER_BYTES_EACH = 8;
const EXPONENT_MAX = 1.3;
const TRIES = 3;

export type Cost = Pick<Reading, "usedMs" | "longestMs"> & { answerBytes: number };
/** Measures an input of this length, with new input at each call. */
type MeasureAt = (length: number) => Promise<Cost>;
type Verdict = Cost & { fault: string | null };

const least = (cost: Cost, other: Cost): Cost => ({
  usedMs: Math.min(cost.usedMs, other.usedMs),
  longestMs: Math.min(cost.longestMs, other.longestMs),
  answerBytes: Math.min(cost.answerBytes, other.answerBytes),
});

/** Cheap inputs get no second measurement. A fault counts if several tries show it, each size at its best. */
export async function judge(measureAt: MeasureAt, length: number): Promise<Verdict> {
  const first = await measureAt(length);
  if (first.usedMs < FLOOR_MS && first.answerBytes < FLOOR_BYTES) return { fault: null, ...first };
  const sizes = [Math.floor(length / 4), Math.floor(length / 2), length];
  const costs = [await measureAt(itemAt(sizes, 0)), await measureAt(itemAt(sizes, 1)), first] as [
    Cost,
    Cost,
    Cost,
  ];
  let fault = findFault(costs, length);
  for (let tried = 1; fault !== null && tried < TRIES; tried += 1) {
    for (const [n, size] of sizes.entries()) costs[n] = least(required(costs[n]), await measureAt(size));
    fault = findFault(costs, length);
  }
  return { fault, ...costs[2] };
}

/** Takes the costs at n, 2n and 4n; `length` is the last. */
export function findFault([quarter, half, whole]: [Cost, Cost, Cost], length: number): string | null {
  const toldMs = [quarter, half, whole].map(({ usedMs }) => `${usedMs.toFixed(0)} ms`).join(", ");
  if (whole.longestMs > HELD_MAX_MS)
    return `held the process for ${whole.longestMs.toFixed(0)} ms (${toldMs})`;
  const answerMax = ANSWER_BASE_BYTES + ANSWER_BYTES_EACH * length;
  if (whole.answerBytes > answerMax) return `answered ${whole.answerBytes} bytes, more than ${answerMax}`;
  const inTime = estimateExponent(quarter.usedMs, half.usedMs, whole.usedMs);
  if (whole.usedMs >= FLOOR_MS && inTime > EXPONENT_MAX) return `grows as n^${inTime.toFixed(1)} (${toldMs})`;
  const inBytes = estimateExponent(quarter.answerBytes, half.answerBytes, whole.answerBytes);
  const toldBytes = [quarter, half, whole].map(({ answerBytes }) => answerBytes).join(", ");
  return whole.answerBytes >= FLOOR_BYTES && inBytes > EXPONENT_MAX
    ? `answers with n^${inBytes.toFixed(1)} bytes (${toldBytes})`
    : null;
}

/** Growth counts only if both steps show it: a single one may be a stumble of the machine. */
function estimateExponent(quarter: number, half: number, full: number): number {
  return Math.min(Math.log2(full / half), Math.log2(full / quarter) / 2);
}
