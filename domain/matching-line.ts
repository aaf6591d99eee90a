import { folded } from "#domain/grams.ts";

/** A piece of a line, told apart by whether it is what was looked for. */
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
  const place = originalIndex(text, folded(text).indexOf(foldedNeedle));
  if (place < 0) return null;
  const start = text.lastIndexOf("\n", place - 1) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
  let number = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) number += 1;
  return { number, parts: markedParts(line, foldedNeedle, place - start) };
}

/** A whole text, as a name or a tag, with each hit told apart. */
export function markedParts(text: string, foldedNeedle: string, firstAt?: number): LinePart[] {
  const hits = hitsIn(text, foldedNeedle);
  if (hits.length === 0 && firstAt !== undefined) hits.push([firstAt, text.length]);
  return cut(text, hits).filter((part) => part.text !== "");
}

type Span = [from: number, to: number];

function hitsIn(text: string, foldedNeedle: string): Span[] {
  const lowered = folded(text);
  const hits: Span[] = [];
  for (
    let at = lowered.indexOf(foldedNeedle);
    at >= 0;
    at = lowered.indexOf(foldedNeedle, at + foldedNeedle.length)
  )
    hits.push([originalIndex(text, at), originalEnd(text, at + foldedNeedle.length)]);
  return hits;
}

/** Only a dotted capital I folds to more than it was; without one, places in a text and in its fold are the same. */
function originalIndex(text: string, foldedIndex: number): number {
  if (foldedIndex < 0 || !text.includes("İ")) return foldedIndex;
  let folds = 0;
  for (let at = 0; at < text.length; at += 1) {
    folds += text[at] === "İ" ? 2 : 1;
    if (folds > foldedIndex) return at;
  }
  return text.length;
}

const originalEnd = (text: string, foldedEnd: number) => originalIndex(text, foldedEnd - 1) + 1;

function cut(text: string, hits: Span[]): LinePart[] {
  const characters = [...text];
  if (characters.length <= SHOWN_MAX) return parts(text, hits, 0, text.length);
  const firstHit = [...text.slice(0, hits[0]?.[0] ?? 0)].length;
  const from = Math.max(0, Math.min(firstHit - BEFORE_HIT, characters.length - SHOWN_MAX));
  const start = characters.slice(0, from).join("").length;
  const end = start + characters.slice(from, from + SHOWN_MAX).join("").length;
  const shown = parts(text, hits, start, end);
  if (start > 0) shown.unshift({ text: ELLIPSIS, hit: false });
  if (end < text.length) shown.push({ text: ELLIPSIS, hit: false });
  return shown;
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
