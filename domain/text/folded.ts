/**
 * Folds case for literal searches. `toLowerCase` chooses ς or σ by the neighbouring letters, so both become σ; otherwise a part of a
 * text would fold differently from the same part of the whole.
 */
export const NEEDLE_MAX = 200;

export function foldCase(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll("ς", "σ");
}
