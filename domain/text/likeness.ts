/** How many words two lists have in common. A repeated word counts as often as both have it. */
export function countCommon(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    const n = left.get(word) ?? 0;
    if (n > 0) common += 1;
    left.set(word, n - 1);
  }
  return common;
}

/** The share of words that two lists have in common, from 0 to 1. */
export function measureLikeness(one: readonly string[], other: readonly string[]): number {
  const words = one.length + other.length;
  return words === 0 ? 1 : (2 * countCommon(one, other)) / words;
}
