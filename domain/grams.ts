/**
 * What a literal, case-insensitive search compares. A text and a needle are folded in the same way, letter by letter, so that
 * a part of a text folds to the same part of the folded text: the two small sigmas are one letter here.
 */
export const NEEDLE_MAX = 200;
/** A needle of fewer characters has no gram: it is looked for in the texts themselves. */
export const GRAM_LENGTH = 3;
/** Grams that a search reads. A longer needle is told apart by reading the texts. */
const NEEDLE_GRAMS_MAX = 6;

export function folded(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll("ς", "σ");
}

/** Every run of three characters in any of the texts, once. Runs do not reach from one text into the next. */
export function gramsOf(texts: readonly string[]): Set<string> {
  const grams = new Set<string>();
  for (const text of texts) addGrams(folded(text), grams);
  return grams;
}

// Characters are code points: half a surrogate pair could not be stored.
function addGrams(text: string, grams: Set<string>): void {
  let [first, second] = [-1, -1];
  for (let at = 0; at < text.length; ) {
    const next = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
    if (first >= 0) grams.add(text.slice(first, next));
    first = second;
    second = at;
    at = next;
  }
}

/** The grams that every text with the needle has, spread over its length; none for a needle that is too short. */
export function needleGrams(needle: string): string[] {
  const grams = [...gramsOf([needle])];
  if (grams.length <= NEEDLE_GRAMS_MAX) return grams;
  const step = (grams.length - 1) / (NEEDLE_GRAMS_MAX - 1);
  return Array.from({ length: NEEDLE_GRAMS_MAX }, (_, i) => grams[Math.round(i * step)]);
}
