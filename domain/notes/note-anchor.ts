import { itemAt, required } from "#domain/required.ts";
import { listOwnWords } from "#domain/text/common-words.ts";
import { type Change, diffLines } from "#domain/text/line-diff.ts";
import {
  countLetters,
  countOwnLetters,
  findOccurrences,
  indexLines,
  isWritten,
  type LineIndex,
  numbersIn,
  type Occurrences,
} from "#domain/text/line-index.ts";

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
/** How much of a line must stay for it to be the same line changed. */
const ALIKE = 0.5;
/** How many lines are compared by their words, and how much of each: those nearest to where the note was. */
const ALIKE_COMPARED_MAX = 2_000;
const ALIKE_READ = 500;

/** How far up the definition around a line is looked for. */
const ENCLOSING_LINES_MAX = 2_000;

const LOST: Verdict = { state: "lost", line_start: null, line_end: null };

export const splitLines = (body: string) => (body === "" ? [] : body.replace(/\r?\n$/, "").split(/\r?\n/));

/** What a note remembers of its lines; null where the version has no such lines. */
export function anchorAt(lines: readonly string[], place: LineSpan, version: number): Anchor | null {
  const { line_start, line_end } = place;
  if (line_start < 1 || line_end > lines.length || line_end < line_start) return null;
  return {
    version,
    quote: bounded(lines.slice(line_start - 1, line_end)),
    before: bounded(lines.slice(Math.max(0, line_start - 1 - CONTEXT_LINES), line_start - 1)),
    after: bounded(lines.slice(line_end, line_end + CONTEXT_LINES)),
  };
}

/** A text that is too long is not remembered at all, because a part of it could be found where the whole is not. */
function bounded(lines: string[]): string[] {
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
  if (!old) return fromMemory(anchor, place, lines);
  const [home, end] = [place.line_start - 1, place.line_end];
  if (end <= home || home < 0 || end > old.length) return LOST;
  const map = mapLines(old, lines);
  const mapped = map.to.subarray(home, end);
  const search: Search = { map, home, length: end - home, wasAt: null, nowAt: null };
  if (untouched(search)) return found(search, home);
  const first = required(mapped[0], "first line of a span");
  if (mapped.every((to, i) => to >= 0 && to === first + i)) return judged(search, first);
  const tellingKept = mapped.some((to, i) => to >= 0 && countLettersAt(map.was, home + i) >= TELLING);
  const moved = tellingKept ? null : movedWhole(search);
  if (moved) return moved;
  const kept = mapped.filter((to) => to >= 0);
  const [firstKept = -1, lastKept = -1] = [kept[0], kept.at(-1)];
  if (firstKept >= 0) return at("changed", firstKept + 1, lastKept + 1);
  return replaced(old.slice(home, end), home, map) ?? LOST;
}

/** The lines from `home` on in the old text, and where the same lines stand in either text, once that is asked. */
type Search = {
  map: LineMap;
  home: number;
  length: number;
  wasAt: Occurrences | null;
  nowAt: Occurrences | null;
};

function placesBefore(search: Search): Occurrences {
  const { map, home, length } = search;
  search.wasAt ??= findOccurrences(map.was, map.was.numbers.subarray(home, home + length));
  return search.wasAt;
}

function placesNow(search: Search): Occurrences {
  const { map, home, length } = search;
  search.nowAt ??= findOccurrences(map.now, map.wasInNow.subarray(home, home + length));
  return search.nowAt;
}

const at = (state: Located["state"], line_start: number, line_end: number): Located => ({
  state,
  line_start,
  line_end,
});

const found = ({ home, length }: { home: number; length: number }, start: number) =>
  at(start === home ? "same" : "moved", start + 1, start + length);

/**
 * Everything above the lines and the lines themselves are unchanged, so the note has not moved, whatever was copied or changed below.
 * The exception: the lines after it show that these are equal lines from below, which moved up because the note's own are gone.
 */
function untouched(search: Search): boolean {
  const { map, home, length } = search;
  const top = Math.max(0, home - AROUND);
  for (let i = top; i < home + length; i += 1) if (map.wasInNow[i] !== map.now.numbers[i]) return false;
  const evidence = (from: number) => around(map.wasInNow, from, map.now, home, length);
  const mine = evidence(home);
  return placesBefore(search).at.every((other) => evidence(other) <= mine);
}

/**
 * The diff says that the lines are at `start`. Where the same text is or was elsewhere too, what is around it has to say so as well:
 * more than for any other place it could be now, and more than for any other place this text could be from.
 */
function judged(search: Search, start: number): Verdict {
  const { map, home, length } = search;
  if (isForced(search, start)) return found(search, start);
  const [nowAt, wasAt] = [placesNow(search), placesBefore(search)];
  const evidence = (from: number, to: number) => around(map.wasInNow, from, map.now, to, length);
  const rival = (to: number) => {
    if (nowAt.tooMany || wasAt.tooMany) return Number.POSITIVE_INFINITY;
    const now = nowAt.at.map((other) => (other === to ? 0 : evidence(home, other)));
    const was = wasAt.at.map((other) => (other === home ? 0 : evidence(other, to)));
    return Math.max(...now, ...was);
  };
  const mine = evidence(home, start);
  const alone = nowAt.at.length === 1 && wasAt.at.length === 1;
  if (!(alone && tellsByItself(search)) && !belongs(search, start))
    return isInOther(search, start) ? LOST : at("changed", start + 1, start + length);
  if (alone ? telling(search) >= TELLING || mine > 0 : mine > rival(start)) return found(search, start);
  // The places cannot be told apart and one of them is where the note was, so it has not moved.
  const stays = !alone && nowAt.at.includes(home) && evidence(home, home) > 0;
  if (stays && evidence(home, home) >= rival(home)) return found(search, home);
  const canBeChosen = wasAt.at.length === 1 && !nowAt.tooMany && !isBlank(search);
  const inner = canBeChosen ? findOnlyBest(nowAt.at, (to) => evidence(home, to)) : null;
  if (inner !== null) return found(search, inner);
  return at("changed", start + 1, start + length);
}

/** All old lines are there in their order and none like the first of these is new, so they can be nowhere else. */
function isForced({ map }: Search, start: number): boolean {
  if (!map.onlyInserts) return false;
  const { starts, places } = map.now;
  const number = numberAt(map.now, start);
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
    letters += countOwnLetters(map.was, numberAt(map.was, home + i));
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
  if (sides.every(Boolean) || keepsDefinition(search, start)) return true;
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
    const number = numberAt(map.was, line);
    if (!isWritten(map.was, number)) continue;
    if ((map.to[line] ?? -1) < 0) return false;
    if (countOwnLetters(map.was, number) >= TELLING) return true;
  }
  return true;
}

/** The lines are in the definition they were in, which may have been changed or moved meanwhile. */
function keepsDefinition({ map, home }: Search, start: number): boolean {
  const [was, now] = [findDefinition(map.was, home), findDefinition(map.now, start)];
  if (was === null || now === null) return false;
  const nameAt = ({ lines }: LineIndex, line: number) => listOwnWords(itemAt(lines, line))[0];
  return map.to[was] === now || nameAt(map.was, was) === nameAt(map.now, now);
}

/** The lines are in a definition that was there before and is not theirs: a note on them would speak of something else. */
function isInOther({ map }: Search, start: number): boolean {
  const now = findDefinition(map.now, start);
  return now !== null && map.was.numbersByLine.has(itemAt(map.now.lines, now));
}

const CLOSES = /^\s*(?:[)\]}]|<\/|end\b|else\b|elif\b|except\b|finally\b|catch\b|rescue\b|ensure\b)/;
const indentation = (line: string) => line.length - line.trimStart().length;

/** The nearest line above that is less indented and has a word of its own: `function first(path) {` for what is in it. */
function findDefinition(index: LineIndex, from: number): number | null {
  let inner = itemAt(index.lines, from);
  for (let i = from - 1; i >= 0 && from - i <= ENCLOSING_LINES_MAX; i -= 1) {
    const number = numberAt(index, i);
    if (!isWritten(index, number)) continue;
    const line = itemAt(index.lines, i);
    const isAround =
      indentation(line) < indentation(inner) ||
      (CLOSES.test(inner) && indentation(line) === indentation(inner));
    if (!isAround) continue;
    if (countOwnLetters(index, number) > 0) return i;
    inner = line;
  }
  return null;
}

/** Lines that were cut and pasted elsewhere: the text is there once before and once after, among lines that are new. */
function movedWhole(search: Search): Verdict | null {
  const { map, home, length } = search;
  const { at: nowAt, tooMany } = placesNow(search);
  const [start] = nowAt;
  if (start === undefined || nowAt.length > 1 || tooMany || placesBefore(search).at.length > 1) return null;
  for (let i = 0; i < length; i += 1)
    if (countLettersAt(map.now, start + i) >= TELLING && (map.from[start + i] ?? -1) >= 0) return null;
  const tells = telling(search);
  const proof = around(map.wasInNow, home, map.now, start, length, TELLING);
  if (!tellsByItself(search) && !keepsDefinition(search, start)) return null;
  const sure = tells >= UNMISTAKABLE || (tells >= TELLING && proof > 0);
  return sure ? found(search, start) : null;
}

/** The lines were replaced by others: told as changed where the others look like them. */
function replaced(quote: readonly string[], from: number, map: LineMap): Verdict | null {
  const change = map.changes.find(
    (one) => one.from <= from && from + quote.length <= one.from + one.removed.length,
  );
  if (!change || change.added.length < quote.length) return null;
  const offset = from - change.from;
  const last = change.added.length - quote.length;
  const reach = Math.max(1, Math.floor(ALIKE_COMPARED_MAX / quote.length / 2));
  const nearest = Math.min(offset, last);
  const [first, end] = [Math.max(0, nearest - reach), Math.min(last, nearest + reach)];
  const compared = quote.slice(0, ALIKE_COMPARED_MAX);
  let best: { start: number; like: number; far: number } | null = null;
  for (let start = first; start <= end; start += 1) {
    const sum = compared.reduce((like, line, i) => like + alike(line, itemAt(change.added, start + i)), 0);
    const one = { start, like: sum / compared.length, far: Math.abs(start - offset) };
    // Of places that look alike the nearest to where the lines were.
    if (!best || one.like > best.like || (one.like === best.like && one.far < best.far)) best = one;
  }
  if (!best || best.like < ALIKE) return null;
  return at("changed", change.to + best.start + 1, change.to + best.start + quote.length);
}

/** Without the old text there is no diff: only what is there once, or still where it was with what was around it. */
function fromMemory({ quote, before, after }: Anchor, place: LineSpan, lines: readonly string[]): Verdict {
  const length = place.line_end - place.line_start + 1;
  if (quote.length !== length) return LOST;
  const now = indexLines(lines);
  const remembered = numbersIn(now, [...before, ...quote, ...after]);
  const numbers = remembered.subarray(before.length, before.length + length);
  const home = place.line_start - 1;
  const evidence = (start: number) => around(remembered, before.length, now, start, length, TELLING);
  const { at: nowAt, tooMany } = findOccurrences(now, numbers);
  const isHome = numbers.every((number, i) => number >= 0 && now.numbers[home + i] === number);
  const tells = numbers.reduce((sum, number) => sum + (number < 0 ? 0 : countOwnLetters(now, number)), 0);
  const isBetween =
    remembered[before.length - 1] === now.numbers[home - 1] &&
    remembered[before.length + length] === now.numbers[home + length];
  if (isHome && (tells >= TELLING || isBetween) && evidence(home) > 0) return found({ home, length }, home);
  const [start] = nowAt;
  if (start === undefined || nowAt.length !== 1 || tooMany) return LOST;
  return tells >= UNMISTAKABLE && evidence(start) > 0 ? found({ home, length }, start) : LOST;
}

type LineMap = {
  changes: Change[];
  onlyInserts: boolean;
  /** Where each old line is now, and where each new line was; -1 for none. Counted from zero. */
  to: Int32Array;
  from: Int32Array;
  was: LineIndex;
  now: LineIndex;
  /** The old text in the numbers of the new one. */
  wasInNow: Int32Array;
};

const MAPS = new WeakMap<readonly string[], WeakMap<readonly string[], LineMap>>();

/** One diff serves all notes that were put on the same version. */
function mapLines(old: readonly string[], lines: readonly string[]): LineMap {
  const known = MAPS.get(old) ?? new WeakMap<readonly string[], LineMap>();
  MAPS.set(old, known);
  const map = known.get(lines) ?? freshMap(old, lines);
  known.set(lines, map);
  return map;
}

function freshMap(old: readonly string[], lines: readonly string[]): LineMap {
  const changes = diffLines(old, lines);
  const to = new Int32Array(old.length).fill(-1);
  const from = new Int32Array(lines.length).fill(-1);
  let [a, b] = [0, 0];
  for (const change of [...changes, { from: old.length, to: lines.length, removed: [], added: [] }]) {
    for (; a < change.from; a += 1, b += 1) [to[a], from[b]] = [b, a];
    a = change.from + change.removed.length;
    b = change.to + change.added.length;
  }
  const now = indexLines(lines);
  const onlyInserts = changes.every(({ removed }) => removed.length === 0);
  return { changes, onlyInserts, to, from, was: indexLines(old), now, wasInNow: numbersIn(now, old) };
}

const countLettersAt = (index: LineIndex, line: number) => countLetters(index, numberAt(index, line));

const numberAt = ({ numbers }: LineIndex, line: number) => required(numbers[line], "such line");

/** How many letters and digits the lines of a note have, counted up to the number that is distinctive enough. */
function telling({ map, home, length }: Search): number {
  let letters = 0;
  for (let i = 0; i < length && letters < UNMISTAKABLE; i += 1) letters += countLettersAt(map.was, home + i);
  return letters;
}

/** How many lines on either side of two places agree without a break, of those that have so many letters; at 0, of those that are not blank. */
function around(a: Int32Array, from: number, b: LineIndex, to: number, length: number, letters = 0): number {
  const { numbers } = b;
  const proves = (line: number) =>
    letters === 0 ? isWritten(b, numberAt(b, line)) : countLettersAt(b, line) >= letters;
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

/** The share of words that two lines have in common, from 0 to 1. */
function alike(one: string, other: string): number {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  if (a.length + b.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const n = left.get(word) ?? 0;
    if (n > 0) common += 1;
    left.set(word, n - 1);
  }
  return (2 * common) / (a.length + b.length);
}

const wordsIn = (line: string): string[] =>
  line.slice(0, ALIKE_READ).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
