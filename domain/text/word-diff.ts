import { diffLines } from "#domain/text/line-diff.ts";

/** `changed` is true if the other line lacks this piece. */
export type Piece = { text: string; changed: boolean };
type WordDiff = { removed: Piece[]; added: Piece[] };

const MAX_LENGTH = 2_000;
const MAX_STEPS = 20_000;
/** Lines with less in common are different lines; marking their words would not help. */
const LIKENESS_MIN = 0.25;

/** Marks the words that differ between a line and its replacement; null if they have too little in common. */
export function diffWords(removed: string, added: string): WordDiff | null {
  if (Math.max(removed.length, added.length) > MAX_LENGTH) return null;
  const [before, after] = [splitWords(removed), splitWords(added)];
  const changes = diffLines(before, after, MAX_STEPS);
  const diff = {
    removed: toPieces(
      before,
      changes.map(({ from, removed }) => [from, removed.length]),
    ),
    added: toPieces(
      after,
      changes.map(({ to, added }) => [to, added.length]),
    ),
  };
  const common = countLetters(diff.removed.filter(({ changed }) => !changed));
  const average = (countLetters(diff.removed) + countLetters(diff.added)) / 2;
  return common > 0 && common >= LIKENESS_MIN * average ? diff : null;
}

function splitWords(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function countLetters(parts: Piece[]): number {
  return parts.reduce((sum, { text }) => sum + text.trim().length, 0);
}

function toPieces(words: string[], ranges: (readonly [start: number, length: number])[]): Piece[] {
  const result: Piece[] = [];
  const add = (start: number, end: number, changed: boolean) => {
    if (end > start) result.push({ text: words.slice(start, end).join(""), changed });
  };
  let wordIndex = 0;
  for (const [start, length] of ranges) {
    add(wordIndex, start, false);
    add(start, start + length, true);
    wordIndex = start + length;
  }
  add(wordIndex, words.length, false);
  return result;
}
