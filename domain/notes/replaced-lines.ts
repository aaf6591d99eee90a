import { itemAt } from "#domain/required.ts";
import { measureLikeness } from "#domain/text/likeness.ts";
import type { Change } from "#domain/text/line-diff.ts";

/** How much of the lines must stay for them to be the same lines changed. */
const LIKENESS_MIN = 0.5;
/** How many lines are compared by their words, and how much of each: those nearest to where the lines were. */
const COMPARED_LINES_MAX = 2_000;
const COMPARED_CHARS_MAX = 500;

/**
 * Where the lines are that replaced `quote`, which began at line `from` of the old text; null where no lines of the same change look
 * like it. Both lines are counted from zero.
 */
export function findReplacement(
  changes: readonly Change[],
  quote: readonly string[],
  from: number,
): number | null {
  const change = changes.find(
    (one) => one.from <= from && from + quote.length <= one.from + one.removed.length,
  );
  if (!change || change.added.length < quote.length) return null;
  const offset = from - change.from;
  const last = change.added.length - quote.length;
  const reach = Math.max(1, Math.floor(COMPARED_LINES_MAX / quote.length / 2));
  const nearest = Math.min(offset, last);
  const [first, end] = [Math.max(0, nearest - reach), Math.min(last, nearest + reach)];
  const compared = quote.slice(0, COMPARED_LINES_MAX);
  let best: { start: number; likeness: number; distance: number } | null = null;
  for (let start = first; start <= end; start += 1) {
    const sum = compared.reduce(
      (likeness, line, i) =>
        likeness + measureLikeness(listWords(line), listWords(itemAt(change.added, start + i))),
      0,
    );
    const one = { start, likeness: sum / compared.length, distance: Math.abs(start - offset) };
    const isCloser = one.likeness === best?.likeness && one.distance < best.distance;
    if (!best || one.likeness > best.likeness || isCloser) best = one;
  }
  return best && best.likeness >= LIKENESS_MIN ? change.to + best.start : null;
}

const listWords = (line: string): string[] =>
  line.slice(0, COMPARED_CHARS_MAX).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
