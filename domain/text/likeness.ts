/** Counts the common words of two lists. A repeated word counts as often as both have it. */
export function countCommon(first: readonly string[], second: readonly string[]): number {
  const unmatched = new Map<string, number>();
  for (const word of first) unmatched.set(word, (unmatched.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const n = unmatched.get(word) ?? 0;
    if (n > 0) common += 1;
    unmatched.set(word, n - 1);
  }
  return common;
}

export function measureLikeness(first: readonly string[], second: readonly string[]): number {
  const words = first.length + second.length;
  return words === 0 ? 1 : (2 * countCommon(first, second)) / words;
}
