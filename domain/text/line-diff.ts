import { itemAt, required } from "#domain/required.ts";

/**
 * Finds the lines that differ between two texts. A diff is a list of changes in order; between them the texts are equal line by
 * line. It is the shortest diff (Myers) if that is found within a limit of work. Otherwise the texts are cut at lines that both
 * have exactly once, as often as a second limit allows, and parts that are still too long count as replaced.
 */
export type Change = {
  /** The first line of the change in each text, counted from zero. */
  from: number;
  to: number;
  removed: string[];
  added: string[];
};

const MAX_STEPS = 2_000_000;
const MAX_EDITS = 1_000;
const CUTS_PER_LINE = 20;

/** Splits a text into lines with their line ends, so that joining them restores it. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

/** A run of equal lines. */
type Match = { from: number; to: number; length: number };
/** The remaining work: steps of the search, and lines read for cutting. */
type Work = { steps: number; cuts: number };
/** A section of both texts, ends excluded. */
type Section = { fromStart: number; fromEnd: number; toStart: number; toEnd: number };

export function diffLines(from: readonly string[], to: readonly string[], maxSteps = MAX_STEPS): Change[] {
  const numbers = new Map<string, number>();
  const numberLines = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const existingNumber = numbers.get(line);
      if (existingNumber !== undefined) return existingNumber;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const matches: Match[] = [];
  const section = { fromStart: 0, fromEnd: from.length, toStart: 0, toEnd: to.length };
  const work = { steps: maxSteps, cuts: CUTS_PER_LINE * (from.length + to.length) };
  collectMatches(numberLines(from), numberLines(to), section, work, matches);
  return toChanges(from, to, matches);
}

function toChanges(from: readonly string[], to: readonly string[], matches: Match[]): Change[] {
  const changes: Change[] = [];
  let [at, toAt] = [0, 0];
  for (const match of [...matches, { from: from.length, to: to.length, length: 0 }]) {
    if (match.from > at || match.to > toAt)
      changes.push({
        from: at,
        to: toAt,
        removed: from.slice(at, match.from),
        added: to.slice(toAt, match.to),
      });
    [at, toAt] = [match.from + match.length, match.to + match.length];
  }
  return changes;
}

/** Appends the equal lines of a section, in order. */
function collectMatches(a: Int32Array, b: Int32Array, section: Section, work: Work, matches: Match[]): void {
  let { fromStart, fromEnd, toStart, toEnd } = section;
  let head = 0;
  const shorter = Math.min(fromEnd - fromStart, toEnd - toStart);
  while (head < shorter && a[fromStart + head] === b[toStart + head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[fromEnd - 1 - tail] === b[toEnd - 1 - tail]) tail += 1;
  if (head > 0) matches.push({ from: fromStart, to: toStart, length: head });
  fromStart += head;
  toStart += head;
  fromEnd -= tail;
  toEnd -= tail;
  if (fromStart < fromEnd && toStart < toEnd) {
    const middle = { fromStart, fromEnd, toStart, toEnd };
    const shortestMatches = findShortestEdits(a, b, middle, work);
    if (shortestMatches) for (const match of shortestMatches) matches.push(match);
    else cutAtUniqueLines(a, b, middle, work, matches);
  }
  if (tail > 0) matches.push({ from: fromEnd, to: toEnd, length: tail });
}

function cutAtUniqueLines(
  a: Int32Array,
  b: Int32Array,
  section: Section,
  work: Work,
  matches: Match[],
): void {
  let { fromStart, toStart } = section;
  work.cuts -= section.fromEnd - fromStart + section.toEnd - toStart;
  if (work.cuts < 0) return;
  for (const anchor of findAnchors(a, b, section)) {
    collectMatches(a, b, { fromStart, fromEnd: anchor.from, toStart, toEnd: anchor.to }, work, matches);
    matches.push(anchor);
    [fromStart, toStart] = [anchor.from + 1, anchor.to + 1];
  }
  if (fromStart > section.fromStart) collectMatches(a, b, { ...section, fromStart, toStart }, work, matches);
}

/** Finds lines that each side has exactly once: the longest series of them in the same order on both sides. */
function findAnchors(a: Int32Array, b: Int32Array, section: Section): Match[] {
  const findUniqueLines = (lines: Int32Array, start: number, end: number) => {
    const indexByLine = new Map<number, number>();
    for (const [i, line] of lines.subarray(start, end).entries())
      indexByLine.set(line, indexByLine.has(line) ? -1 : start + i);
    return indexByLine;
  };
  const inA = findUniqueLines(a, section.fromStart, section.fromEnd);
  const inB = findUniqueLines(b, section.toStart, section.toEnd);
  const unique: Match[] = [];
  for (const [line, from] of inA) {
    const to = inB.get(line) ?? -1;
    if (from >= 0 && to >= 0) unique.push({ from, to, length: 1 });
  }
  return findLongestRising(unique.sort((match, otherMatch) => match.from - otherMatch.from));
}

function findLongestRising(matches: Match[]): Match[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [i, { to }] of matches.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(matches, itemAt(tails, middle)).to < to) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1] ?? -1);
    tails[low] = i;
  }
  const rising: Match[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = itemAt(previous, i)) rising.push(itemAt(matches, i));
  return rising.reverse();
}

/** Myers' greedy search; null if it would exceed the limit of work. */
function findShortestEdits(a: Int32Array, b: Int32Array, section: Section, work: Work): Match[] | null {
  const { fromStart, toStart } = section;
  const [n, m] = [section.fromEnd - fromStart, section.toEnd - toStart];
  if (work.steps <= 0) return null;
  const max = Math.min(n + m, MAX_EDITS);
  const reach = new Int32Array(2 * max + 3);
  const trail: Int32Array[] = [];
  for (let d = 0; d <= max; d += 1) {
    for (let k = -d; k <= d; k += 2) {
      const below = required(reach[max + k], "diagonal");
      const above = required(reach[max + k + 2], "diagonal");
      const isDown = k === -d || (k !== d && below < above);
      let x = isDown ? above : below + 1;
      const start = x;
      while (x < n && x - k < m && x >= k && a[fromStart + x] === b[toStart + x - k]) x += 1;
      work.steps -= 1 + x - start;
      reach[max + k + 1] = x;
      if (x >= n && x - k >= m) return traceMatches(trail, { d, n, m }, section);
      if (work.steps <= 0) return null;
    }
    trail.push(reach.slice(max - d + 1, max + d + 2));
  }
  return null;
}

/** Follows the trail back to the matches. `trail[d]` holds the reach of each diagonal from -d to d after d edits. */
function traceMatches(
  trail: Int32Array[],
  end: { d: number; n: number; m: number },
  section: Section,
): Match[] {
  const matches: Match[] = [];
  let [x, y] = [end.n, end.m];
  const addMatch = (untilX: number, untilY: number) => {
    const length = Math.min(x - untilX, y - untilY);
    if (length <= 0) return;
    x -= length;
    y -= length;
    matches.push({ from: section.fromStart + x, to: section.toStart + y, length });
  };
  for (let d = end.d; d > 0; d -= 1) {
    const row = itemAt(trail, d - 1);
    const getReach = (k: number) => row[k + d - 1] ?? -1;
    const k = x - y;
    const isDown = k === -d || (k !== d && getReach(k - 1) < getReach(k + 1));
    const fromX = isDown ? getReach(k + 1) : getReach(k - 1);
    const fromY = fromX - (isDown ? k + 1 : k - 1);
    addMatch(isDown ? fromX : fromX + 1, isDown ? fromY + 1 : fromY);
    [x, y] = [fromX, fromY];
  }
  addMatch(0, 0);
  return matches.reverse();
}
