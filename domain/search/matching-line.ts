import { itemAt } from "#domain/required.ts";
import { foldCase } from "#domain/text/folded.ts";

export type LinePart = { text: string; hit: boolean };
export type MatchingLine = { number: number; parts: LinePart[] };

/** The characters shown of a line; a longer line is cut around its first hit. */
export const SHOWN_MAX = 160;
const BEFORE_HIT = 40;
const ELLIPSIS = "…";

export function contains(text: string, foldedNeedle: string): boolean {
  return foldCase(text).includes(foldedNeedle);
}

/** Returns the first line in which a hit begins, numbered from 1. The needle may continue after the line's end; the line does not. */
export function matchingLine(text: string, foldedNeedle: string): MatchingLine | null {
  const foldedIndex = foldCase(text).indexOf(foldedNeedle);
  if (foldedIndex < 0) return null;
  const hit = createIndexMapper(text)(foldedIndex);
  const start = text.lastIndexOf("\n", hit - 1) + 1;
  const end = text.indexOf("\n", hit);
  const line = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
  let number = 1;
  for (let i = text.indexOf("\n"); i >= 0 && i < start; i = text.indexOf("\n", i + 1)) number += 1;
  return { number, parts: markedParts(line, foldedNeedle, hit - start) };
}

export type MatchingLines = { lines: MatchingLine[]; lineCount: number };

/**
 * Lists up to `max` lines with any of the needles: first lines with all needles exactly as typed, then lines with all of them,
 * then the others. Within each group the line number `first` comes first, then the order of the text. Indentation is left out.
 * `lineCount` counts all lines with a hit.
 */
export function matchingLines(
  text: string,
  foldedNeedles: readonly string[],
  max: number,
  first?: number,
): MatchingLines {
  const foldedText = foldCase(text);
  const nextHits = foldedNeedles.map((needle) => foldedText.indexOf(needle));
  const typedPhrase = foldedNeedles.join(" ");
  const [exact, complete, others]: [MatchingLine[], MatchingLine[], MatchingLine[]] = [[], [], []];
  let lineCount = 0;
  let [start, foldedStart] = [0, 0];
  for (let number = 1; start <= text.length; number += 1) {
    const [end, foldedEnd] = [findLineEnd(text, start), findLineEnd(foldedText, foldedStart)];
    const isInLine = (hit: number) => hit >= foldedStart && hit < foldedEnd;
    if (nextHits.some(isInLine)) {
      lineCount += 1;
      const isExact = () => foldedText.slice(foldedStart, foldedEnd).includes(typedPhrase);
      const lines = !nextHits.every(isInLine) ? others : isExact() ? exact : complete;
      const readLine = () => ({ number, parts: markedParts(text.slice(start, end).trim(), foldedNeedles) });
      if (number === first) lines.unshift(readLine());
      else if (lines.length < max) lines.push(readLine());
      for (const [i, needle] of foldedNeedles.entries())
        if ((nextHits[i] ?? -1) >= 0 && (nextHits[i] ?? 0) < foldedEnd)
          nextHits[i] = foldedText.indexOf(needle, foldedEnd);
    }
    if (nextHits.every((hit) => hit < 0)) break;
    [start, foldedStart] = [end + 1, foldedEnd + 1];
  }
  return { lines: [...exact, ...complete, ...others].slice(0, max), lineCount };
}

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

export function markedParts(
  text: string,
  foldedNeedles: string | readonly string[],
  fallbackStart?: number,
): LinePart[] {
  const hits = [foldedNeedles]
    .flat()
    .flatMap((needle) => findHits(text, needle))
    .sort(([a], [b]) => a - b);
  if (hits.length === 0 && fallbackStart !== undefined) hits.push([fallbackStart, text.length]);
  return cutAroundHits(text, hits).filter((part) => part.text !== "");
}

type Span = [from: number, to: number];

/** Finds at most as many hits as a shown line can have, because each has at least one character. */
function findHits(text: string, foldedNeedle: string): Span[] {
  const foldedText = foldCase(text);
  const toOriginal = createIndexMapper(text);
  const hits: Span[] = [];
  for (
    let index = foldedText.indexOf(foldedNeedle);
    index >= 0 && hits.length < SHOWN_MAX;
    index = foldedText.indexOf(foldedNeedle, index + foldedNeedle.length)
  )
    hits.push([toOriginal(index), toOriginal(index + foldedNeedle.length - 1) + 1]);
  return hits;
}

const DOTTED_I = "İ";

/** Maps indexes of the folded text to the text. Only a dotted capital I folds to more than one unit; without it the indexes are equal. */
export function createIndexMapper(text: string): (foldedIndex: number) => number {
  if (!text.includes(DOTTED_I)) return (foldedIndex) => foldedIndex;
  const dotted: number[] = [];
  for (let index = text.indexOf(DOTTED_I); index >= 0; index = text.indexOf(DOTTED_I, index + 1))
    dotted.push(index);
  return (foldedIndex) => {
    // In the folded text, the n-th dotted I is n units later than in the text.
    let [low, high] = [0, dotted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(dotted, middle) + middle < foldedIndex) low = middle + 1;
      else high = middle;
    }
    return Math.max(foldedIndex - low, dotted[low - 1] ?? 0);
  };
}

function cutAroundHits(text: string, hits: Span[]): LinePart[] {
  let start = moveBack(text, hits[0]?.[0] ?? 0, BEFORE_HIT);
  const end = moveForward(text, start, SHOWN_MAX);
  if (end === text.length) start = moveBack(text, end, SHOWN_MAX);
  const shownParts = splitAtHits(text, hits, start, end);
  if (start > 0) shownParts.unshift({ text: ELLIPSIS, hit: false });
  if (end < text.length) shownParts.push({ text: ELLIPSIS, hit: false });
  return shownParts;
}

/** Moves by a number of characters; a surrogate pair is one character. */
function moveForward(text: string, from: number, characters: number): number {
  let index = from;
  for (let n = 0; n < characters && index < text.length; n += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

function moveBack(text: string, from: number, characters: number): number {
  let index = from;
  for (let n = 0; n < characters && index > 0; n += 1)
    index -= index > 1 && (text.codePointAt(index - 2) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

function splitAtHits(text: string, hits: Span[], start: number, end: number): LinePart[] {
  const pieces: LinePart[] = [];
  let index = start;
  for (const [from, to] of hits) {
    if (from >= end) break;
    if (to <= index) continue;
    pieces.push({ text: text.slice(index, Math.max(index, from)), hit: false });
    pieces.push({ text: text.slice(Math.max(index, from), Math.min(to, end)), hit: true });
    index = Math.min(to, end);
  }
  pieces.push({ text: text.slice(index, end), hit: false });
  return pieces;
}
