import { itemAt } from "#domain/required.ts";
import { folded } from "#domain/search/folded.ts";

/** A piece of a line, and whether it matches the search. */
export type LinePart = { text: string; hit: boolean };
export type MatchingLine = { number: number; parts: LinePart[] };

/** Characters of a line that are shown; a longer one is cut around its first hit. */
export const SHOWN_MAX = 160;
const BEFORE_HIT = 40;
const ELLIPSIS = "…";

export function contains(text: string, foldedNeedle: string): boolean {
  return folded(text).includes(foldedNeedle);
}

/** The first line that begins a hit, numbered from 1. A needle may go on over the end of its line; the line does not. */
export function matchingLine(text: string, foldedNeedle: string): MatchingLine | null {
  const found = folded(text).indexOf(foldedNeedle);
  if (found < 0) return null;
  const place = mapIndexes(text)(found);
  const start = text.lastIndexOf("\n", place - 1) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
  let number = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) number += 1;
  return { number, parts: markedParts(line, foldedNeedle, place - start) };
}

export type MatchingLines = { lines: MatchingLine[]; lineCount: number };

/**
 * Lines that have one of the needles, at most `max`: those with all needles as they were typed, one after another, then those with
 * all of them, then the others. Within each group the line with the number `first` comes first, then from the top. Their indentation is left out.
 * All of them are counted.
 */
export function matchingLines(
  text: string,
  foldedNeedles: readonly string[],
  max: number,
  first?: number,
): MatchingLines {
  const lowered = folded(text);
  const next = foldedNeedles.map((needle) => lowered.indexOf(needle));
  const typed = foldedNeedles.join(" ");
  const [asTyped, complete, others]: [MatchingLine[], MatchingLine[], MatchingLine[]] = [[], [], []];
  let lineCount = 0;
  let [at, loweredAt] = [0, 0];
  for (let number = 1; at <= text.length; number += 1) {
    const [end, loweredEnd] = [endOfLine(text, at), endOfLine(lowered, loweredAt)];
    const isHere = (place: number) => place >= loweredAt && place < loweredEnd;
    if (next.some(isHere)) {
      lineCount += 1;
      const isAsTyped = () => lowered.slice(loweredAt, loweredEnd).includes(typed);
      const lines = !next.every(isHere) ? others : isAsTyped() ? asTyped : complete;
      const read = () => ({ number, parts: markedParts(text.slice(at, end).trim(), foldedNeedles) });
      if (number === first) lines.unshift(read());
      else if (lines.length < max) lines.push(read());
      for (const [i, needle] of foldedNeedles.entries())
        if ((next[i] ?? -1) >= 0 && (next[i] ?? 0) < loweredEnd)
          next[i] = lowered.indexOf(needle, loweredEnd);
    }
    if (next.every((place) => place < 0)) break;
    [at, loweredAt] = [end + 1, loweredEnd + 1];
  }
  return { lines: [...asTyped, ...complete, ...others].slice(0, max), lineCount };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** A whole text, such as a name or a tag, in pieces that match and pieces that do not. */
export function markedParts(
  text: string,
  foldedNeedles: string | readonly string[],
  firstAt?: number,
): LinePart[] {
  const hits = [foldedNeedles]
    .flat()
    .flatMap((needle) => hitsIn(text, needle))
    .sort(([a], [b]) => a - b);
  if (hits.length === 0 && firstAt !== undefined) hits.push([firstAt, text.length]);
  return cut(text, hits).filter((part) => part.text !== "");
}

type Span = [from: number, to: number];

/** As many hits as a shown line can have: each has a character at least. */
function hitsIn(text: string, foldedNeedle: string): Span[] {
  const lowered = folded(text);
  const toOriginal = mapIndexes(text);
  const hits: Span[] = [];
  for (
    let at = lowered.indexOf(foldedNeedle);
    at >= 0 && hits.length < SHOWN_MAX;
    at = lowered.indexOf(foldedNeedle, at + foldedNeedle.length)
  )
    hits.push([toOriginal(at), toOriginal(at + foldedNeedle.length - 1) + 1]);
  return hits;
}

const DOTTED_I = "İ";

/** Only a dotted capital I folds to more than it was; without one, places in a text and in its fold are the same. */
export function mapIndexes(text: string): (foldedIndex: number) => number {
  if (!text.includes(DOTTED_I)) return (foldedIndex) => foldedIndex;
  const places: number[] = [];
  for (let at = text.indexOf(DOTTED_I); at >= 0; at = text.indexOf(DOTTED_I, at + 1)) places.push(at);
  return (foldedIndex) => {
    // The n-th of them begins, in the fold, n places later than in the text.
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(places, middle) + middle < foldedIndex) low = middle + 1;
      else high = middle;
    }
    return Math.max(foldedIndex - low, places[low - 1] ?? 0);
  };
}

function cut(text: string, hits: Span[]): LinePart[] {
  let start = moveBack(text, hits[0]?.[0] ?? 0, BEFORE_HIT);
  const end = moveForward(text, start, SHOWN_MAX);
  if (end === text.length) start = moveBack(text, end, SHOWN_MAX);
  const shown = parts(text, hits, start, end);
  if (start > 0) shown.unshift({ text: ELLIPSIS, hit: false });
  if (end < text.length) shown.push({ text: ELLIPSIS, hit: false });
  return shown;
}

/** So many characters further, surrogate pairs counted once. */
function moveForward(text: string, from: number, characters: number): number {
  let at = from;
  for (let n = 0; n < characters && at < text.length; n += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

function moveBack(text: string, from: number, characters: number): number {
  let at = from;
  for (let n = 0; n < characters && at > 0; n += 1)
    at -= at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

function parts(text: string, hits: Span[], start: number, end: number): LinePart[] {
  const found: LinePart[] = [];
  let at = start;
  for (const [from, to] of hits) {
    if (from >= end) break;
    if (to <= at) continue;
    found.push({ text: text.slice(at, Math.max(at, from)), hit: false });
    found.push({ text: text.slice(Math.max(at, from), Math.min(to, end)), hit: true });
    at = Math.min(to, end);
  }
  found.push({ text: text.slice(at, end), hit: false });
  return found;
}
