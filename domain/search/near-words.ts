import { folded } from "#domain/search/folded.ts";
import { splitWords } from "#domain/search/name-words.ts";

/** The folded words of names, with how often each is there. */
export type WordCounts = ReadonlyMap<string, number>;

const WORD_MAX = 40;
const WORDS_MAX = 10_000;

/** The first ten thousand different words. */
export function countWords(names: Iterable<string>): WordCounts {
  const counts = new Map<string, number>();
  for (const name of names)
    for (const { word } of splitWords(name)) {
      const key = folded(word);
      if (key.length > WORD_MAX || (counts.size >= WORDS_MAX && !counts.has(key))) continue;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/** The known word that a misspelt one was most likely meant to be; null where none is near, or where it is known itself. */
export function findNearWord(word: string, known: WordCounts): string | null {
  const typed = folded(word);
  const max = countAllowedEdits(typed.length);
  if (max === 0 || known.has(typed)) return null;
  let best: { word: string; edits: number; count: number } | null = null;
  for (const [other, count] of known) {
    const edits = countEdits(typed, other, best?.edits ?? max);
    if (edits > (best?.edits ?? max)) continue;
    if (!best || edits < best.edits || count > best.count) best = { word: other, edits, count };
  }
  return best?.word ?? null;
}

/** Short words are near to many others. */
function countAllowedEdits(length: number): number {
  if (length < 4 || length > WORD_MAX) return 0;
  return length < 6 ? 1 : 2;
}

/** Letters to add, remove, replace or exchange with the next one to make one word of another; more than `max` is not counted on. */
function countEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [twoBefore, before] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (twoBefore[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > max) return max + 1;
    [twoBefore, before] = [before, row];
  }
  return before[b.length] ?? max + 1;
}
