import { findDefinition, isInOldDefinition, keepsDefinition } from "#domain/notes/enclosing-definition.ts";
import { findReplacement } from "#domain/notes/replaced-lines.ts";
import { itemAt, required } from "#domain/required.ts";
import {
  countLettersAt,
  countOwnLetters,
  findOccurrences,
  indexLines,
  isWritten,
  type LineIndex,
  numberAtLine,
  numbersIn,
  type Occurrences,
} from "#domain/text/line-index.ts";
import { type LineMap, mapLines } from "#domain/text/line-map.ts";

/**
 * Where a note that was put on some lines of one version is in a newer one. The answer is computed at each look and never
 * stored: `same` and `moved` name lines that have the very text; `changed` names the place where the text was and is another; `lost`
 * names none. A move is only reported where it is certain; a person confirms anything else by pinning the note again.
 */
export type Anchor = {
  version: number;
  /** The lines the note is on, and the nearest around them. */
  quote: string[];
  before: string[];
  after: string[];
};

export type LineSpan = { line_start: number; line_end: number };
export const ANCHOR_STATES = ["same", "moved", "changed", "lost"] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];
type Located = { state: Exclude<AnchorState, "lost"> } & LineSpan;
export type Verdict = Located | { state: "lost"; line_start: null; line_end: null };

const CONTEXT_LINES = 3;
const QUOTE_LINES_MAX = 200;
const QUOTE_CHARS_MAX = 10_000;
/** How far around a text is looked to tell it from another of the same words. */
const AROUND = 40;
/** Letters and digits below which a text could as well be another of the same look: `}`, `end`, `return x`. */
const TELLING = 4;
const UNMISTAKABLE = 12;
const LOST: Verdict = { state: "lost", line_start: null, line_end: null };

export const splitLines = (body: string) => (body === "" ? [] : body.replace(/\r?\n$/, "").split(/\r?\n/));

/** What a note remembers of its lines; null where the version has no such lines. */
export function anchorAt(lines: readonly string[], place: LineSpan, version: number): Anchor | null {
  const { line_start, line_end } = place;
  if (line_start < 1 || line_end > lines.length || line_end < line_start) return null;
  return {
    version,
    quote: keepIfShort(lines.slice(line_start - 1, line_end)),
    before: keepIfShort(lines.slice(Math.max(0, line_start - 1 - CONTEXT_LINES), line_start - 1)),
    after: keepIfShort(lines.slice(line_end, line_end + CONTEXT_LINES)),
  };
}

/** A text that is too long is not remembered at all, because a part of it could be found where the whole is not. */
function keepIfShort(lines: string[]): string[] {
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length <= QUOTE_LINES_MAX && length <= QUOTE_CHARS_MAX ? lines : [];
}

/** `old` is the text of the version the note was put on; null where that is gone and only what the note remembers is left. */
export function locate(
  anchor: Anchor,
  place: LineSpan,
  old: readonly string[] | null,
  lines: readonly string[],
): Verdict {
  if (!old) return locateFromMemory(anchor, place, lines);
  const [home, end] = [place.line_start - 1, place.line_end];
  if (end <= home || home < 0 || end > old.length) return LOST;
  const map = mapLines(old, lines);
  const mapped = map.to.subarray(home, end);
  const search: Search = { map, home, length: end - home, wasAt: null, nowAt: null };
  if (isUntouched(search)) return toLocated(search, home);
  const first = required(mapped[0], "first line of a span");
  if (mapped.every((to, i) => to >= 0 && to === first + i)) return judgeMapped(search, first);
  const tellingKept = mapped.some((to, i) => to >= 0 && countLettersAt(map.was, home + i) >= TELLING);
  const moved = tellingKept ? null : findMovedWhole(search);
  if (moved) return moved;
  const kept = mapped.filter((to) => to >= 0);
  const [firstKept = -1, lastKept = -1] = [kept[0], kept.at(-1)];
  if (firstKept >= 0) return at("changed", firstKept + 1, lastKept + 1);
  const replacement = findReplacement(map.changes, old.slice(home, end), home);
  return replacement === null ? LOST : at("changed", replacement + 1, replacement + search.length);
}

/** The lines from `home` on in the old text, and where the same lines stand in either text, once that is needed. */
type Search = {
  map: LineMap;
  home: number;
  length: number;
  wasAt: Occurrences | null;
  nowAt: Occurrences | null;
};

function findPlacesBefore(search: Search): Occurrences {
  const { map, home, length } = search;
  search.wasAt ??= findOccurrences(map.was, map.was.numbers.subarray(home, home + length));
  return search.wasAt;
}

function findPlacesNow(search: Search): Occurrences {
  const { map, home, length } = search;
  search.nowAt ??= findOccurrences(map.now, map.wasInNow.subarray(home, home + length));
  return search.nowAt;
}

const at = (state: Located["state"], line_start: number, line_end: number): Located => ({
  state,
  line_start,
  line_end,
});

const toLocated = ({ home, length }: { home: number; length: number }, start: number) =>
  at(start === home ? "same" : "moved", start + 1, start + length);

/**
 * Everything above the lines and the lines themselves are unchanged, so the note has not moved, whatever was copied or changed below.
 * The exception: the lines after it show that these are equal lines from below, which moved up because the note's own are gone.
 */
function isUntouched(search: Search): boolean {
  const { map, home, length } = search;
  const top = Math.max(0, home - AROUND);
  for (let i = top; i < home + length; i += 1) if (map.wasInNow[i] !== map.now.numbers[i]) return false;
  const evidence = (from: number) => countAgreeingLines(map.wasInNow, from, map.now, home, length);
  const mine = evidence(home);
  return findPlacesBefore(search).at.every((other) => evidence(other) <= mine);
}

/**
 * The diff says that the lines are at `start`. Where the same text is or was elsewhere too, what is around it has to say so as well:
 * more than for any other place it could be now, and more than for any other place this text could be from.
 */
function judgeMapped(search: Search, start: number): Verdict {
  const { map, home, length } = search;
  if (isForced(search, start)) return toLocated(search, start);
  const [nowAt, wasAt] = [findPlacesNow(search), findPlacesBefore(search)];
  const evidence = (from: number, to: number) => countAgreeingLines(map.wasInNow, from, map.now, to, length);
  const rival = (to: number) => {
    if (nowAt.tooMany || wasAt.tooMany) return Number.POSITIVE_INFINITY;
    const now = nowAt.at.map((other) => (other === to ? 0 : evidence(home, other)));
    const was = wasAt.at.map((other) => (other === home ? 0 : evidence(other, to)));
    return Math.max(...now, ...was);
  };
  const mine = evidence(home, start);
  const alone = nowAt.at.length === 1 && wasAt.at.length === 1;
  // In another definition of the old text, a note on these lines would speak of something else.
  if (!(alone && tellsByItself(search)) && !belongs(search, start))
    return isInOldDefinition(map, start) ? LOST : at("changed", start + 1, start + length);
  if (alone ? countTellingLetters(search) >= TELLING || mine > 0 : mine > rival(start))
    return toLocated(search, start);
  // The places look the same and one of them is where the note was, so it has not moved.
  const stays = !alone && nowAt.at.includes(home) && evidence(home, home) > 0;
  if (stays && evidence(home, home) >= rival(home)) return toLocated(search, home);
  const canBeChosen = wasAt.at.length === 1 && !nowAt.tooMany && !isBlank(search);
  const inner = canBeChosen ? findOnlyBest(nowAt.at, (to) => evidence(home, to)) : null;
  if (inner !== null) return toLocated(search, inner);
  return at("changed", start + 1, start + length);
}

/** All old lines are there in their order and none like the first of these is new, so they can be nowhere else. */
function isForced({ map }: Search, start: number): boolean {
  if (!map.onlyInserts) return false;
  const { starts, places } = map.now;
  const number = numberAtLine(map.now, start);
  const alike = places.subarray(starts[number], starts[number + 1]);
  return alike.every((place) => (map.from[place] ?? -1) >= 0);
}

/** The place with the most evidence, where there is any and no other has as much: of lines put around equal ones, the inner. */
function findOnlyBest(places: readonly number[], weigh: (place: number) => number): number | null {
  const weights = places.map(weigh);
  const most = Math.max(...weights);
  const best = weights.indexOf(most);
  return most > 0 && weights.lastIndexOf(most) === best ? itemAt(places, best) : null;
}

/** Whether the lines say something that is not said everywhere. */
function tellsByItself({ map, home, length }: Search): boolean {
  let letters = 0;
  for (let i = 0; i < length && letters < TELLING; i += 1)
    letters += countOwnLetters(map.was, numberAtLine(map.was, home + i));
  return letters >= TELLING;
}

const isBlank = ({ map, home, length }: Search) =>
  map.was.numbers.subarray(home, home + length).every((number) => !isWritten(map.was, number));

/**
 * Whether lines that say little are still among what they belonged to: their neighbours on both sides or their definition. Lines
 * outside any definition need one neighbour, and blank ones are judged by what is around them alone.
 */
function belongs(search: Search, start: number): boolean {
  const { map, home, length } = search;
  if (isBlank(search)) return true;
  const sides = [keepsNeighbour(map, home - 1, -1), keepsNeighbour(map, home + length, 1)];
  if (sides.every(Boolean) || keepsDefinition(map, home, start)) return true;
  return sides.some(Boolean) && findDefinition(map.was, home) === null;
}

/**
 * Nothing was deleted between the lines and the nearest line on one side that tells where it belongs, or the end of the text. So
 * nothing that is only inserted takes a note from its line, however little that says.
 */
function keepsNeighbour(map: LineMap, first: number, step: 1 | -1): boolean {
  for (let i = 0; i < AROUND; i += 1) {
    const line = first + i * step;
    if (line < 0 || line >= map.to.length) return true;
    const number = numberAtLine(map.was, line);
    if (!isWritten(map.was, number)) continue;
    if ((map.to[line] ?? -1) < 0) return false;
    if (countOwnLetters(map.was, number) >= TELLING) return true;
  }
  return true;
}

/** Lines that were cut and pasted elsewhere: the text is there once before and once after, among lines that are new. */
function findMovedWhole(search: Search): Verdict | null {
  const { map, home, length } = search;
  const { at: nowAt, tooMany } = findPlacesNow(search);
  const [start] = nowAt;
  if (start === undefined || nowAt.length > 1 || tooMany || findPlacesBefore(search).at.length > 1)
    return null;
  for (let i = 0; i < length; i += 1)
    if (countLettersAt(map.now, start + i) >= TELLING && (map.from[start + i] ?? -1) >= 0) return null;
  const tells = countTellingLetters(search);
  const proof = countAgreeingLines(map.wasInNow, home, map.now, start, length, TELLING);
  if (!tellsByItself(search) && !keepsDefinition(map, home, start)) return null;
  const sure = tells >= UNMISTAKABLE || (tells >= TELLING && proof > 0);
  return sure ? toLocated(search, start) : null;
}

/** Without the old text there is no diff: only what is there once, or still where it was with what was around it. */
function locateFromMemory(
  { quote, before, after }: Anchor,
  place: LineSpan,
  lines: readonly string[],
): Verdict {
  const length = place.line_end - place.line_start + 1;
  if (quote.length !== length) return LOST;
  const now = indexLines(lines);
  const remembered = numbersIn(now, [...before, ...quote, ...after]);
  const numbers = remembered.subarray(before.length, before.length + length);
  const home = place.line_start - 1;
  const evidence = (start: number) =>
    countAgreeingLines(remembered, before.length, now, start, length, TELLING);
  const { at: nowAt, tooMany } = findOccurrences(now, numbers);
  const isHome = numbers.every((number, i) => number >= 0 && now.numbers[home + i] === number);
  const tells = numbers.reduce((sum, number) => sum + (number < 0 ? 0 : countOwnLetters(now, number)), 0);
  const isBetween =
    remembered[before.length - 1] === now.numbers[home - 1] &&
    remembered[before.length + length] === now.numbers[home + length];
  if (isHome && (tells >= TELLING || isBetween) && evidence(home) > 0)
    return toLocated({ home, length }, home);
  const [start] = nowAt;
  if (start === undefined || nowAt.length !== 1 || tooMany) return LOST;
  return tells >= UNMISTAKABLE && evidence(start) > 0 ? toLocated({ home, length }, start) : LOST;
}

/** How many letters and digits the lines of a note have, counted up to the number that is distinctive enough. */
function countTellingLetters({ map, home, length }: Search): number {
  let letters = 0;
  for (let i = 0; i < length && letters < UNMISTAKABLE; i += 1) letters += countLettersAt(map.was, home + i);
  return letters;
}

/** How many lines on either side of two places agree without a break, of those that have so many letters; at 0, of those that are not blank. */
function countAgreeingLines(
  a: Int32Array,
  from: number,
  b: LineIndex,
  to: number,
  length: number,
  letters = 0,
): number {
  const { numbers } = b;
  const proves = (line: number) =>
    letters === 0 ? isWritten(b, numberAtLine(b, line)) : countLettersAt(b, line) >= letters;
  let proof = 0;
  for (let i = 1; i <= AROUND && from - i >= 0 && to - i >= 0 && a[from - i] === numbers[to - i]; i += 1)
    if (proves(to - i)) proof += 1;
  const [end, toEnd] = [from + length, to + length];
  for (let i = 0; i < AROUND && end + i < a.length && toEnd + i < numbers.length; i += 1) {
    if (a[end + i] !== numbers[toEnd + i]) break;
    if (proves(toEnd + i)) proof += 1;
  }
  return proof;
}
