import { diffLines } from "#domain/text/line-diff.ts";

/** A piece of a line, and whether the other line lacks it. */
export type Piece = { text: string; changed: boolean };
type WordDiff = { removed: Piece[]; added: Piece[] };

const MAX_LENGTH = 2_000;
const MAX_STEPS = 20_000;
/** Lines with less in common than this are different lines, and marks on them would only be noise. */
const ALIKE = 0.25;

/** The words that differ between a line and the one in its place; null where they have too little in common. */
export function diffWords(removed: string, added: string): WordDiff | null {
  if (Math.max(removed.length, added.length) > MAX_LENGTH) return null;
  const [before, after] = [splitWords(removed), splitWords(added)];
  const changes = diffLines(before, after, MAX_STEPS);
  const diff = {
    removed: pieces(
      before,
      changes.map(({ from, removed }) => [from, removed.length]),
    ),
    added: pieces(
      after,
      changes.map(({ to, added }) => [to, added.length]),
    ),
  };
  const common = countLetters(diff.removed.filter(({ changed }) => !changed));
  const average = (countLetters(diff.removed) + countLetters(diff.added)) / 2;
  return common > 0 && common >= ALIKE * average ? diff : null;
}

function splitWords(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function countLetters(parts: Piece[]): number {
  return parts.reduce((sum, { text }) => sum + text.trim().length, 0);
}

function pieces(words: string[], stretches: (readonly [start: number, length: number])[]): Piece[] {
  const found: Piece[] = [];
  const put = (start: number, end: number, changed: boolean) => {
    if (end > start) found.push({ text: words.slice(start, end).join(""), changed });
  };
  let at = 0;
  for (const [start, length] of stretches) {
    put(at, start, false);
    put(start, start + length, true);
    at = start + length;
  }
  put(at, words.length, false);
  return found;
}
