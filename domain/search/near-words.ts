import { itemAt } from "#domain/required.ts";
import { splitWords } from "#domain/search/name-words.ts";
import { foldCase } from "#domain/text/folded.ts";

/** Folded words of names, with their numbers of occurrences. */
type WordCounts = ReadonlyMap<string, number>;

const WORD_MAX = 24;
const WORDS_MAX = 3_000;
/** Reused rows of the edit distance: for the current letter and the two before it. */
const ROWS = Array.from({ length: 3 }, () => new Uint8Array(WORD_MAX + 2));

export function countWords(names: Iterable<string>): WordCounts {
  const counts = new Map<string, number>();
  for (const name of names)
    for (const { word } of splitWords(name)) {
      const key = foldCase(word);
      if (key.length > WORD_MAX || (counts.size >= WORDS_MAX && !counts.has(key))) continue;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/** Returns the known word most similar to a misspelt one; null if none is similar, or if the word itself is known. */
export function findNearWord(word: string, knownWords: WordCounts): string | null {
  const typed = foldCase(word);
  const max = countAllowedEdits(typed.length);
  if (max === 0 || knownWords.has(typed)) return null;
  let best: { word: string; edits: number; count: number } | null = null;
  for (const [knownWord, count] of knownWords) {
    const edits = countEdits(typed, knownWord, best?.edits ?? max);
    if (edits > (best?.edits ?? max)) continue;
    if (!best || edits < best.edits || count > best.count) best = { word: knownWord, edits, count };
  }
  return best?.word ?? null;
}

/** Short words are similar to many others. */
function countAllowedEdits(length: number): number {
  if (length < 4 || length > WORD_MAX) return 0;
  return length < 6 ? 1 : 2;
}

/**
 * Counts the letters to add, remove, replace or swap with the next to turn one word into another, up to `max` + 1. Only letters
 * at most `max` positions apart are compared, so a long word costs little more than a short one.
 */
function countEdits(a: string, b: string, max: number): number {
  const tooMany = max + 1;
  if (Math.abs(a.length - b.length) > max) return tooMany;
  for (const row of ROWS) row.fill(tooMany, 0, b.length + 2);
  const getRow = (i: number) => itemAt(ROWS, i % ROWS.length);
  for (let j = 0; j <= Math.min(max, b.length); j += 1) getRow(0)[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const [twoBefore, previous, row] = [getRow(i + 1), getRow(i - 1), getRow(i)];
    const [from, to] = [Math.max(1, i - max), Math.min(b.length, i + max)];
    row[from - 1] = from === 1 ? i : tooMany;
    let least = tooMany;
    for (let j = from; j <= to; j += 1) {
      const replaced = (previous[j - 1] ?? tooMany) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (twoBefore[j - 2] ?? tooMany) + 1 : tooMany;
      const edits = Math.min((previous[j] ?? tooMany) + 1, (row[j - 1] ?? tooMany) + 1, replaced, exchanged);
      row[j] = edits;
      least = Math.min(least, edits);
    }
    row[to + 1] = tooMany;
    if (least > max) return tooMany;
  }
  return getRow(a.length)[b.length] ?? tooMany;
}
