import { itemAt } from "#domain/required.ts";
import { measureLikeness } from "#domain/text/likeness.ts";
import type { Change } from "#domain/text/line-diff.ts";

/** The share of the lines that must stay the same for them to count as changed and not replaced by others. */
const LIKENESS_MIN = 0.5;
/** Only so many lines nearest to the old position are compared by words, and only so much of each. */
const COMPARED_LINES_MAX = 2_000;
const COMPARED_CHARS_MAX = 500;

/**
 * Finds the lines that replaced `quote`, which began at line `from` of the old text. Returns null if no lines of the same
 * change are similar enough. Lines are counted from zero.
 */
export function findReplacement(
  changes: readonly Change[],
  quote: readonly string[],
  from: number,
): number | null {
  const change = changes.find(
    (candidate) => candidate.from <= from && from + quote.length <= candidate.from + candidate.removed.length,
  );
  if (!change || change.added.length < quote.length) return null;
  const offset = from - change.from;
  const last = change.added.length - quote.length;
  const reach = Math.max(1, Math.floor(COMPARED_LINES_MAX / quote.length / 2));
  const nearest = Math.min(offset, last);
  const [first, end] = [Math.max(0, nearest - reach), Math.min(last, nearest + reach)];
  const comparedLines = quote.slice(0, COMPARED_LINES_MAX);
  let best: { start: number; likeness: number; distance: number } | null = null;
  for (let start = first; start <= end; start += 1) {
    const sum = comparedLines.reduce(
      (likeness, line, i) =>
        likeness + measureLikeness(listWords(line), listWords(itemAt(change.added, start + i))),
      0,
    );
    const candidate = { start, likeness: sum / comparedLines.length, distance: Math.abs(start - offset) };
    const isCloser = candidate.likeness === best?.likeness && candidate.distance < best.distance;
    if (!best || candidate.likeness > best.likeness || isCloser) best = candidate;
  }
  return best && best.likeness >= LIKENESS_MIN ? change.to + best.start : null;
}

const listWords = (line: string): string[] =>
  line.slice(0, COMPARED_CHARS_MAX).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
