/**
 * What a literal, case-insensitive search compares. A text and a needle are folded in the same way, letter by letter, so that
 * a part of a text folds to the same part of the folded text: the two small sigmas are one letter here.
 */
export const NEEDLE_MAX = 200;

export function folded(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll("ς", "σ");
}
