/**
 * Folds text for literal searches without regard to case. Texts and needles are folded letter by letter, so that a part of a
 * text folds to the same part of the folded text: both small sigmas become the same letter.
 */
export const NEEDLE_MAX = 200;

export function foldCase(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll("ς", "σ");
}
