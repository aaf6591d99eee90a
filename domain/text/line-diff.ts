import { itemAt, required } from "#domain/required.ts";

/**
 * Which lines differ between two texts. A diff is a list of changes in order; between two changes, and before and after
 * them, the texts are equal line by line. It is the shortest one (Myers) where that can be found within the bound on work;
 * where it cannot, the texts are cut at lines that both have exactly once, as often as a second bound on work allows, and what still
 * is too much counts as replaced whole.
 */
export type Change = {
  /** The first line concerned in either text, counted from zero. */
  from: number;
  to: number;
  removed: string[];
  added: string[];
};

const MAX_STEPS = 2_000_000;
const MAX_EDITS = 1_000;
const CUTS_PER_LINE = 20;

/** Lines with their line ends, so that nothing is lost when they are put together again. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}

/** Equal lines, so many of them from these places on. */
type Match = { from: number; to: number; length: number };
/** What is left of the bounds: steps of the search, and lines that are looked at for cutting. */
type Work = { steps: number; cuts: number };
/** One stretch of either side, ends excluded. */
type Stretch = { fromStart: number; fromEnd: number; toStart: number; toEnd: number };

export function diffLines(from: readonly string[], to: readonly string[], maxSteps = MAX_STEPS): Change[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const matches: Match[] = [];
  const whole = { fromStart: 0, fromEnd: from.length, toStart: 0, toEnd: to.length };
  const work = { steps: maxSteps, cuts: CUTS_PER_LINE * (from.length + to.length) };
  collect(numbered(from), numbered(to), whole, work, matches);
  return changesBetween(from, to, matches);
}

function changesBetween(from: readonly string[], to: readonly string[], matches: Match[]): Change[] {
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

/** Puts the equal lines of a stretch in order behind those already found. */
function collect(a: Int32Array, b: Int32Array, stretch: Stretch, work: Work, matches: Match[]): void {
  let { fromStart, fromEnd, toStart, toEnd } = stretch;
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
    const found = shortest(a, b, middle, work);
    if (found) for (const match of found) matches.push(match);
    else cutAtUniqueLines(a, b, middle, work, matches);
  }
  if (tail > 0) matches.push({ from: fromEnd, to: toEnd, length: tail });
}

function cutAtUniqueLines(
  a: Int32Array,
  b: Int32Array,
  stretch: Stretch,
  work: Work,
  matches: Match[],
): void {
  let { fromStart, toStart } = stretch;
  work.cuts -= stretch.fromEnd - fromStart + stretch.toEnd - toStart;
  if (work.cuts < 0) return;
  for (const anchor of anchorsIn(a, b, stretch)) {
    collect(a, b, { fromStart, fromEnd: anchor.from, toStart, toEnd: anchor.to }, work, matches);
    matches.push(anchor);
    [fromStart, toStart] = [anchor.from + 1, anchor.to + 1];
  }
  if (fromStart > stretch.fromStart) collect(a, b, { ...stretch, fromStart, toStart }, work, matches);
}

/** Lines that either side has exactly once, the most of them that keep their order. */
function anchorsIn(a: Int32Array, b: Int32Array, stretch: Stretch): Match[] {
  const places = (lines: Int32Array, start: number, end: number) => {
    const found = new Map<number, number>();
    for (const [i, line] of lines.subarray(start, end).entries())
      found.set(line, found.has(line) ? -1 : start + i);
    return found;
  };
  const inA = places(a, stretch.fromStart, stretch.fromEnd);
  const inB = places(b, stretch.toStart, stretch.toEnd);
  const unique: Match[] = [];
  for (const [line, from] of inA) {
    const to = inB.get(line) ?? -1;
    if (from >= 0 && to >= 0) unique.push({ from, to, length: 1 });
  }
  return longestRising(unique.sort((one, other) => one.from - other.from));
}

function longestRising(matches: Match[]): Match[] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [i, { to }] of matches.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(matches, itemAt(tails, middle)).to < to) low = middle + 1;
      else high = middle;
    }
    before.push(tails[low - 1] ?? -1);
    tails[low] = i;
  }
  const rising: Match[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = itemAt(before, i)) rising.push(itemAt(matches, i));
  return rising.reverse();
}

/** Myers' greedy search; null where it would take more than the work allows. */
function shortest(a: Int32Array, b: Int32Array, stretch: Stretch, work: Work): Match[] | null {
  const { fromStart, toStart } = stretch;
  const [n, m] = [stretch.fromEnd - fromStart, stretch.toEnd - toStart];
  if (work.steps <= 0) return null;
  const max = Math.min(n + m, MAX_EDITS);
  const reach = new Int32Array(2 * max + 3);
  const trail: Int32Array[] = [];
  for (let d = 0; d <= max; d += 1) {
    for (let k = -d; k <= d; k += 2) {
      const left = required(reach[max + k], "diagonal");
      const right = required(reach[max + k + 2], "diagonal");
      const down = k === -d || (k !== d && left < right);
      let x = down ? right : left + 1;
      const start = x;
      while (x < n && x - k < m && x >= k && a[fromStart + x] === b[toStart + x - k]) x += 1;
      work.steps -= 1 + x - start;
      reach[max + k + 1] = x;
      if (x >= n && x - k >= m) return walkBack(trail, { d, n, m }, stretch);
      if (work.steps <= 0) return null;
    }
    trail.push(reach.slice(max - d + 1, max + d + 2));
  }
  return null;
}

/** `trail[d]` holds how far each diagonal from -d to d reached after d edits. */
function walkBack(trail: Int32Array[], end: { d: number; n: number; m: number }, stretch: Stretch): Match[] {
  const matches: Match[] = [];
  let [x, y] = [end.n, end.m];
  const matchBack = (untilX: number, untilY: number) => {
    const length = Math.min(x - untilX, y - untilY);
    if (length <= 0) return;
    x -= length;
    y -= length;
    matches.push({ from: stretch.fromStart + x, to: stretch.toStart + y, length });
  };
  for (let d = end.d; d > 0; d -= 1) {
    const row = itemAt(trail, d - 1);
    const at = (k: number) => row[k + d - 1] ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromX = down ? at(k + 1) : at(k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    matchBack(down ? fromX : fromX + 1, down ? fromY + 1 : fromY);
    [x, y] = [fromX, fromY];
  }
  matchBack(0, 0);
  return matches.reverse();
}
