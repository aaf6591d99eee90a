import {
  findEnclosingDefinition,
  isInOldDefinition,
  isInSameDefinition,
} from "#domain/notes/enclosing-definition.ts";
import { findReplacement } from "#domain/notes/replaced-lines.ts";
import { itemAt, required } from "#domain/required.ts";
import {
  countLettersAt,
  countUncommonLetters,
  findOccurrences,
  indexLines,
  isNotBlank,
  type LineIndex,
  numberAtLine,
  type Occurrences,
  toLineNumbers,
} from "#domain/text/line-index.ts";
import { type LineMap, mapLines } from "#domain/text/line-map.ts";

/**
 * Finds the lines of a note in a newer version of its text. The answer is computed at each reading and never stored. `same` and
 * `moved` give lines with exactly the noted text; `changed` gives the lines that replaced it; `lost` gives none. A move is only
 * reported if it is certain; in all other cases a person confirms by pinning the note again.
 */
export type Anchor = {
  version: number;
  /** The noted lines; `before` and `after` are their nearest neighbours. */
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
/** The number of lines around a text that are compared to distinguish it from other lines of the same words. */
const NEARBY_MAX = 40;
/** Texts with fewer letters and digits could be anywhere: `}`, `end`, `return x`. */
const LETTERS_MIN = 4;
const LETTERS_SURE = 12;
const LOST: Verdict = { state: "lost", line_start: null, line_end: null };

export const splitLines = (body: string) => (body === "" ? [] : body.replace(/\r?\n$/, "").split(/\r?\n/));

/** Records the lines of a note; null if the version has no such lines. */
export function createAnchor(lines: readonly string[], place: LineSpan, version: number): Anchor | null {
  const { line_start, line_end } = place;
  if (line_start < 1 || line_end > lines.length || line_end < line_start) return null;
  return {
    version,
    quote: omitIfLong(lines.slice(line_start - 1, line_end)),
    before: omitIfLong(lines.slice(Math.max(0, line_start - 1 - CONTEXT_LINES), line_start - 1)),
    after: omitIfLong(lines.slice(line_end, line_end + CONTEXT_LINES)),
  };
}

/** A long text is not recorded at all, because a part of it could match where the whole does not. */
function omitIfLong(lines: string[]): string[] {
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length <= QUOTE_LINES_MAX && length <= QUOTE_CHARS_MAX ? lines : [];
}

/** `old` is the text of the version that the note was put on. If that text is gone, it is null and only the anchor is compared. */
export function locateLines(
  anchor: Anchor,
  place: LineSpan,
  oldLines: readonly string[] | null,
  newLines: readonly string[],
): Verdict {
  if (!oldLines) return locateByAnchor(anchor, place, newLines);
  const [home, end] = [place.line_start - 1, place.line_end];
  if (end <= home || home < 0 || end > oldLines.length) return LOST;
  const map = mapLines(oldLines, newLines);
  const mapped = map.to.subarray(home, end);
  const search: Search = { map, home, length: end - home, oldOccurrences: null, newOccurrences: null };
  if (isUntouched(search)) return toLocated(search, home);
  const first = required(mapped[0], "first line of a span");
  if (mapped.every((to, i) => to >= 0 && to === first + i)) return judgeMapped(search, first);
  const keepsLine = mapped.some((to, i) => to >= 0 && countLettersAt(map.was, home + i) >= LETTERS_MIN);
  const movedVerdict = keepsLine ? null : findMovedWhole(search);
  if (movedVerdict) return movedVerdict;
  const keptLines = mapped.filter((to) => to >= 0);
  const [firstKept = -1, lastKept = -1] = [keptLines[0], keptLines.at(-1)];
  if (firstKept >= 0) return toVerdict("changed", firstKept + 1, lastKept + 1);
  const replacement = findReplacement(map.changes, oldLines.slice(home, end), home);
  return replacement === null ? LOST : toVerdict("changed", replacement + 1, replacement + search.length);
}

/** The noted lines begin at `home` in the old text. The occurrences of the same lines in both texts are computed on demand. */
type Search = {
  map: LineMap;
  home: number;
  length: number;
  oldOccurrences: Occurrences | null;
  newOccurrences: Occurrences | null;
};

function findOldOccurrences(search: Search): Occurrences {
  const { map, home, length } = search;
  search.oldOccurrences ??= findOccurrences(map.was, map.was.numbers.subarray(home, home + length));
  return search.oldOccurrences;
}

function findNewOccurrences(search: Search): Occurrences {
  const { map, home, length } = search;
  search.newOccurrences ??= findOccurrences(map.now, map.wasInNow.subarray(home, home + length));
  return search.newOccurrences;
}

const toVerdict = (state: Located["state"], line_start: number, line_end: number): Located => ({
  state,
  line_start,
  line_end,
});

const toLocated = ({ home, length }: { home: number; length: number }, start: number) =>
  toVerdict(start === home ? "same" : "moved", start + 1, start + length);

/**
 * True if nothing changed in the lines and above them: then the note has not moved, in spite of copies or changes below. The
 * exception is a deletion of the note's own lines that moved equal lines from below up; the lines after it show that.
 */
function isUntouched(search: Search): boolean {
  const { map, home, length } = search;
  const top = Math.max(0, home - NEARBY_MAX);
  for (let i = top; i < home + length; i += 1) if (map.wasInNow[i] !== map.now.numbers[i]) return false;
  const weigh = (from: number) => countAgreeingLines(map.wasInNow, from, map.now, home, length);
  const weight = weigh(home);
  return findOldOccurrences(search).starts.every((other) => weigh(other) <= weight);
}

/**
 * Judges the answer `start` of the diff. If the same text occurs elsewhere in either version, the surrounding lines have to
 * confirm the answer: more of them have to agree than for any other occurrence in the new text or origin in the old text.
 */
function judgeMapped(search: Search, start: number): Verdict {
  const { map, home, length } = search;
  if (isForced(search, start)) return toLocated(search, start);
  const [newOccurrences, oldOccurrences] = [findNewOccurrences(search), findOldOccurrences(search)];
  const weigh = (from: number, to: number) => countAgreeingLines(map.wasInNow, from, map.now, to, length);
  const weighRival = (to: number) => {
    if (newOccurrences.tooMany || oldOccurrences.tooMany) return Number.POSITIVE_INFINITY;
    const now = newOccurrences.starts.map((other) => (other === to ? 0 : weigh(home, other)));
    const was = oldOccurrences.starts.map((other) => (other === home ? 0 : weigh(other, to)));
    return Math.max(...now, ...was);
  };
  const weight = weigh(home, start);
  const isUnique = newOccurrences.starts.length === 1 && oldOccurrences.starts.length === 1;
  // In another definition of the old text, the note would be about something else.
  if (!(isUnique && isDistinctive(search)) && !hasSameContext(search, start))
    return isInOldDefinition(map, start) ? LOST : toVerdict("changed", start + 1, start + length);
  if (isUnique ? countTellingLetters(search) >= LETTERS_MIN || weight > 0 : weight > weighRival(start))
    return toLocated(search, start);
  // The candidates look the same and one of them is the old position, so the note has not moved.
  const stays = !isUnique && newOccurrences.starts.includes(home) && weigh(home, home) > 0;
  if (stays && weigh(home, home) >= weighRival(home)) return toLocated(search, home);
  const isChoosable = oldOccurrences.starts.length === 1 && !newOccurrences.tooMany && !isBlank(search);
  const innermost = isChoosable ? findOnlyBest(newOccurrences.starts, (to) => weigh(home, to)) : null;
  if (innermost !== null) return toLocated(search, innermost);
  return toVerdict("changed", start + 1, start + length);
}

/** True if no old line was deleted and no line equal to the first one was inserted, so the lines can be nowhere else. */
function isForced({ map }: Search, start: number): boolean {
  if (!map.onlyInserts) return false;
  const { starts, places } = map.now;
  const number = numberAtLine(map.now, start);
  const equalLines = places.subarray(starts[number], starts[number + 1]);
  return equalLines.every((place) => (map.from[place] ?? -1) >= 0);
}

/** Returns the candidate with the most evidence if no other has as much. If lines were put around equal ones, this is the inner copy. */
function findOnlyBest(candidates: readonly number[], weigh: (candidate: number) => number): number | null {
  const weights = candidates.map(weigh);
  const most = Math.max(...weights);
  const best = weights.indexOf(most);
  return most > 0 && weights.lastIndexOf(most) === best ? itemAt(candidates, best) : null;
}

/** True if the lines contain enough words that are not frequent everywhere. */
function isDistinctive({ map, home, length }: Search): boolean {
  let letters = 0;
  for (let i = 0; i < length && letters < LETTERS_MIN; i += 1)
    letters += countUncommonLetters(map.was, numberAtLine(map.was, home + i));
  return letters >= LETTERS_MIN;
}

const isBlank = ({ map, home, length }: Search) =>
  map.was.numbers.subarray(home, home + length).every((number) => !isNotBlank(map.was, number));

/**
 * True if lines of little content are still near what they belonged to: their neighbours on both sides or their definition.
 * Lines outside any definition need one neighbour; blank lines are judged only by the lines around them.
 */
function hasSameContext(search: Search, start: number): boolean {
  const { map, home, length } = search;
  if (isBlank(search)) return true;
  const keptSides = [hasKeptNeighbour(map, home - 1, -1), hasKeptNeighbour(map, home + length, 1)];
  if (keptSides.every(Boolean) || isInSameDefinition(map, home, start)) return true;
  return keptSides.some(Boolean) && findEnclosingDefinition(map.was, home) === null;
}

/**
 * True if nothing was deleted between the lines and the nearest distinctive line on this side, or the end of the text. So mere
 * insertions never take a note from its lines, however little the lines say.
 */
function hasKeptNeighbour(map: LineMap, first: number, step: 1 | -1): boolean {
  for (let i = 0; i < NEARBY_MAX; i += 1) {
    const line = first + i * step;
    if (line < 0 || line >= map.to.length) return true;
    const number = numberAtLine(map.was, line);
    if (!isNotBlank(map.was, number)) continue;
    if ((map.to[line] ?? -1) < 0) return false;
    if (countUncommonLetters(map.was, number) >= LETTERS_MIN) return true;
  }
  return true;
}

/** Finds lines that were cut and pasted: the text occurs once in each version, and in the new one among new lines. */
function findMovedWhole(search: Search): Verdict | null {
  const { map, home, length } = search;
  const { starts, tooMany } = findNewOccurrences(search);
  const [start] = starts;
  if (start === undefined || starts.length > 1 || tooMany || findOldOccurrences(search).starts.length > 1)
    return null;
  for (let i = 0; i < length; i += 1)
    if (countLettersAt(map.now, start + i) >= LETTERS_MIN && (map.from[start + i] ?? -1) >= 0) return null;
  const letters = countTellingLetters(search);
  const evidence = countAgreeingLines(map.wasInNow, home, map.now, start, length, LETTERS_MIN);
  if (!isDistinctive(search) && !isInSameDefinition(map, home, start)) return null;
  const isCertain = letters >= LETTERS_SURE || (letters >= LETTERS_MIN && evidence > 0);
  return isCertain ? toLocated(search, start) : null;
}

/** Without the old text there is no diff. Accepts only a unique occurrence, or the old position with its old neighbours. */
function locateByAnchor(
  { quote, before, after }: Anchor,
  place: LineSpan,
  lines: readonly string[],
): Verdict {
  const length = place.line_end - place.line_start + 1;
  if (quote.length !== length) return LOST;
  const newIndex = indexLines(lines);
  const anchorNumbers = toLineNumbers(newIndex, [...before, ...quote, ...after]);
  const numbers = anchorNumbers.subarray(before.length, before.length + length);
  const home = place.line_start - 1;
  const weigh = (start: number) =>
    countAgreeingLines(anchorNumbers, before.length, newIndex, start, length, LETTERS_MIN);
  const { starts, tooMany } = findOccurrences(newIndex, numbers);
  const isHome = numbers.every((number, i) => number >= 0 && newIndex.numbers[home + i] === number);
  const letters = numbers.reduce(
    (sum, number) => sum + (number < 0 ? 0 : countUncommonLetters(newIndex, number)),
    0,
  );
  const isBetween =
    anchorNumbers[before.length - 1] === newIndex.numbers[home - 1] &&
    anchorNumbers[before.length + length] === newIndex.numbers[home + length];
  if (isHome && (letters >= LETTERS_MIN || isBetween) && weigh(home) > 0)
    return toLocated({ home, length }, home);
  const [start] = starts;
  if (start === undefined || starts.length !== 1 || tooMany) return LOST;
  return letters >= LETTERS_SURE && weigh(start) > 0 ? toLocated({ home, length }, start) : LOST;
}

/** Counts the letters and digits of the noted lines, up to the number that is unmistakable. */
function countTellingLetters({ map, home, length }: Search): number {
  let letters = 0;
  for (let i = 0; i < length && letters < LETTERS_SURE; i += 1) letters += countLettersAt(map.was, home + i);
  return letters;
}

/** Counts the agreeing lines directly around two positions. Only lines with this many letters count; with 0, all lines that are not blank. */
function countAgreeingLines(
  a: Int32Array,
  from: number,
  b: LineIndex,
  to: number,
  length: number,
  letters = 0,
): number {
  const { numbers } = b;
  const counts = (line: number) =>
    letters === 0 ? isNotBlank(b, numberAtLine(b, line)) : countLettersAt(b, line) >= letters;
  let agreeing = 0;
  for (let i = 1; i <= NEARBY_MAX && from - i >= 0 && to - i >= 0 && a[from - i] === numbers[to - i]; i += 1)
    if (counts(to - i)) agreeing += 1;
  const [afterFrom, afterTo] = [from + length, to + length];
  for (let i = 0; i < NEARBY_MAX && afterFrom + i < a.length && afterTo + i < numbers.length; i += 1) {
    if (a[afterFrom + i] !== numbers[afterTo + i]) break;
    if (counts(afterTo + i)) agreeing += 1;
  }
  return agreeing;
}
