/** How much of a line is compared. */
const ALIKE_READ = 500;

/** The share of words that two lines have in common, from 0 to 1. */
export function compareWords(one: string, other: string): number {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  if (a.length + b.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const n = left.get(word) ?? 0;
    if (n > 0) common += 1;
    left.set(word, n - 1);
  }
  return (2 * common) / (a.length + b.length);
}

const wordsIn = (line: string): string[] =>
  line.slice(0, ALIKE_READ).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
