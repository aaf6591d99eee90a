import { itemAt } from "#domain/required.ts";

/**
 * What a literal, case-insensitive search compares. A text and a needle are folded in the same way, letter by letter, so that
 * a part of a text folds to the same part of the folded text: the two small sigmas are one letter here.
 */
export const NEEDLE_MAX = 200;
/** Grams that a search reads. A longer needle is told apart by reading the texts. */
const NEEDLE_GRAMS_MAX = 6;

export function folded(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll("ς", "σ");
}

/**
 * Every run of three characters in any of the texts, once. Where there are more than `most`, only some of them: more than that.
 * Runs do not reach from one text into the next.
 */
export function extractGrams(texts: readonly string[], most = Number.POSITIVE_INFINITY): Set<string> {
  const grams = new Set<string>();
  for (const text of texts) addGrams(folded(text), grams, most);
  return grams;
}

export type TextsToIndex = { texts: string[]; max: number };

/** The grams of what one file is found by, in the form that a thread takes and gives. */
export function collectGrams({ texts, max }: TextsToIndex): string[] {
  return [...extractGrams(texts, max)];
}

const RECENT_MAX = 1 << 16;

/** Characters are code points: half a surrogate pair could not be stored. Most runs came before, which numbers tell faster than texts. */
function addGrams(text: string, grams: Set<string>, most: number): void {
  const slots = Math.min(RECENT_MAX, 2 ** Math.ceil(Math.log2(text.length + 1)));
  const recent = new Int32Array(3 * slots);
  let [first, second] = [-1, -1];
  let [a, b] = [0, 0];
  for (let at = 0; at < text.length && grams.size <= most; ) {
    const c = text.codePointAt(at) ?? 0;
    const next = at + (c > 0xffff ? 2 : 1);
    if (first >= 0) {
      const slot = 3 * ((Math.imul(a, 31_337) + Math.imul(b, 977) + c) & (slots - 1));
      if (recent[slot] !== a || recent[slot + 1] !== b || recent[slot + 2] !== c) {
        grams.add(text.slice(first, next));
        [recent[slot], recent[slot + 1], recent[slot + 2]] = [a, b, c];
      }
    }
    [first, second, a, b] = [second, at, b, c];
    at = next;
  }
}

/** The grams that every text with the needle has, spread over its length; none for a needle that is too short. */
export function needleGrams(needle: string): string[] {
  const grams = [...extractGrams([needle])];
  if (grams.length <= NEEDLE_GRAMS_MAX) return grams;
  const step = (grams.length - 1) / (NEEDLE_GRAMS_MAX - 1);
  return Array.from({ length: NEEDLE_GRAMS_MAX }, (_, i) => itemAt(grams, Math.round(i * step)));
}
