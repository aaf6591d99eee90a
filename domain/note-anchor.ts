import { type Change, diffLines } from "#domain/line-diff.ts";

/**
 * Where a note that was put on some lines of one version is in a newer one. The answer is computed whenever it is asked and never
 * written: `same` and `moved` name lines that have the very text; `changed` names the place where the text was and is another; `lost`
 * names none. A move is only told where it is beyond doubt; a person confirms anything else by pinning the note anew.
 */
export type Anchor = {
  version: number;
  /** The lines the note is on, and the nearest around them. */
  quote: string[];
  before: string[];
  after: string[];
};

export type Place = { line_start: number; line_end: number };
export const ANCHOR_STATES = ["same", "moved", "changed", "lost"] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];
export type Located = { state: Exclude<AnchorState, "lost"> } & Place;
export type Verdict = Located | { state: "lost"; line_start: null; line_end: null };

export const CONTEXT_LINES = 3;
export const QUOTE_LINES_MAX = 200;
const QUOTE_CHARS_MAX = 10_000;
/** How far around a text is looked to tell it from another of the same words. */
const AROUND = 40;
const OCCURRENCES_MAX = 1_000;
/** Letters and digits below which a text could as well be another of the same look: `}`, `end`, `return x`. */
const TELLING = 4;
const UNMISTAKABLE = 12;
/** How much of a line must stay for it to be the same line changed. */
const ALIKE = 0.5;

const LOST: Verdict = { state: "lost", line_start: null, line_end: null };

export const linesOf = (body: string) => (body === "" ? [] : body.replace(/\r?\n$/, "").split(/\r?\n/));

/** What a note remembers of its lines; null where the version has no such lines. */
export function anchorAt(lines: readonly string[], place: Place, version: number): Anchor | null {
  const { line_start, line_end } = place;
  if (line_start < 1 || line_end > lines.length || line_end < line_start) return null;
  return {
    version,
    quote: bounded(lines.slice(line_start - 1, line_end)),
    before: bounded(lines.slice(Math.max(0, line_start - 1 - CONTEXT_LINES), line_start - 1)),
    after: bounded(lines.slice(line_end, line_end + CONTEXT_LINES)),
  };
}

/** What is too long to be remembered is not remembered in part: half a quote could be found where the whole is not. */
function bounded(lines: string[]): string[] {
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length <= QUOTE_LINES_MAX && length <= QUOTE_CHARS_MAX ? lines : [];
}

/** `old` is the text of the version the note was put on; null where that is gone and only what the note remembers is left. */
export function locate(
  anchor: Anchor,
  place: Place,
  old: readonly string[] | null,
  lines: readonly string[],
): Verdict {
  if (!old) return fromMemory(anchor, place, lines);
  const [home, end] = [place.line_start - 1, place.line_end];
  const quote = old.slice(home, end);
  if (quote.length === 0 || quote.length !== end - home) return LOST;
  const map = mapLines(old, lines);
  const mapped = map.to.slice(home, end);
  const search = { old, lines, home, quote };
  if (untouched(search)) return found(search, home);
  if (mapped.every((to, i) => to >= 0 && to === mapped[0]! + i)) return judged(search, mapped[0]!);
  const tellingKept = mapped.some((to, i) => to >= 0 && telling([quote[i]!]) >= TELLING);
  const moved = tellingKept ? null : movedWhole(search, map);
  if (moved) return moved;
  const kept = mapped.filter((to) => to >= 0);
  if (kept.length > 0) return at("changed", kept[0]! + 1, kept.at(-1)! + 1);
  return replaced(quote, home, map) ?? LOST;
}

type Search = { old: readonly string[]; lines: readonly string[]; home: number; quote: readonly string[] };

const at = (state: Located["state"], line_start: number, line_end: number): Located => ({
  state,
  line_start,
  line_end,
});

const found = ({ home, quote }: Pick<Search, "home" | "quote">, start: number) =>
  at(start === home ? "same" : "moved", start + 1, start + quote.length);

/**
 * All that is above is as it was, and so are the lines: whatever was copied or changed below, the note has not moved. Unless what
 * follows says that these are other lines of the same words, which came up because the note's own are gone.
 */
function untouched({ old, lines, home, quote }: Search): boolean {
  const top = Math.max(0, home - AROUND);
  for (let i = top; i < home + quote.length; i += 1) if (old[i] !== lines[i]) return false;
  const evidence = (from: number) => around(old, from, lines, home, quote.length);
  return occurrences(quote, old).every((other) => evidence(other) <= evidence(home));
}

/**
 * The diff says that the lines are at `start`. Where the same text is or was elsewhere too, what is around it has to say so as well:
 * more than for any other place it could be now, and more than for any other place this text could be from.
 */
function judged(search: Search, start: number): Verdict {
  const { old, lines, home, quote } = search;
  const nowAt = occurrences(quote, lines);
  const wasAt = occurrences(quote, old);
  const evidence = (from: number, to: number) => around(old, from, lines, to, quote.length);
  const rival = (to: number) => {
    if (Math.max(nowAt.length, wasAt.length) > OCCURRENCES_MAX) return Number.POSITIVE_INFINITY;
    const now = nowAt.map((other) => (other === to ? 0 : evidence(home, other)));
    const was = wasAt.map((other) => (other === home ? 0 : evidence(other, to)));
    return Math.max(...now, ...was);
  };
  const mine = evidence(home, start);
  const alone = nowAt.length === 1 && wasAt.length === 1;
  if (alone ? telling(quote) >= TELLING || mine > 0 : mine > rival(start)) return found(search, start);
  // Nothing tells one from the other, and one of them is where the note was: that is no move.
  const stays = !alone && nowAt.includes(home) && evidence(home, home) > 0;
  if (stays && evidence(home, home) >= rival(home)) return found(search, home);
  return at("changed", start + 1, start + quote.length);
}

/** Taken away here and put somewhere else: one text of its kind before and after, and among lines that are new there. */
function movedWhole(search: Search, map: LineMap): Verdict | null {
  const { old, lines, home, quote } = search;
  const [start, ...others] = occurrences(quote, lines);
  if (start === undefined || others.length > 0 || occurrences(quote, old).length > 1) return null;
  const wasElsewhere = (line: string, i: number) => telling([line]) >= TELLING && map.from[start + i]! >= 0;
  if (quote.some(wasElsewhere)) return null;
  const tells = telling(quote);
  const proof = around(old, home, lines, start, quote.length, (line) => telling([line]) >= TELLING);
  const sure = tells >= UNMISTAKABLE || (tells >= TELLING && proof > 0);
  return sure ? found(search, start) : null;
}

/** The lines were replaced by others: told as changed where the others look like them. */
function replaced(quote: readonly string[], from: number, map: LineMap): Verdict | null {
  const change = map.changes.find(
    (one) => one.from <= from && from + quote.length <= one.from + one.removed.length,
  );
  if (!change || change.added.length === 0) return null;
  const offset = from - change.from;
  const starts = [...Array(Math.max(0, change.added.length - quote.length + 1)).keys()];
  const likeness = (start: number) =>
    quote.reduce((sum, line, i) => sum + alike(line, change.added[start + i]!), 0) / quote.length;
  // Of places that look alike the nearest to where the lines were.
  const [best] = starts
    .map((start) => ({ start, like: likeness(start), far: Math.abs(start - offset) }))
    .sort((one, other) => other.like - one.like || one.far - other.far);
  if (!best || best.like < ALIKE) return null;
  return at("changed", change.to + best.start + 1, change.to + best.start + quote.length);
}

/** Without the old text there is no diff: only what is there once, or still where it was with what was around it. */
function fromMemory({ quote, before, after }: Anchor, place: Place, lines: readonly string[]): Verdict {
  if (quote.length !== place.line_end - place.line_start + 1) return LOST;
  const remembered = [...before, ...quote, ...after];
  const search = { home: place.line_start - 1, quote };
  const evidence = (start: number) =>
    around(remembered, before.length, lines, start, quote.length, (line) => telling([line]) >= TELLING);
  const nowAt = occurrences(quote, lines);
  if (nowAt.includes(search.home) && evidence(search.home) > 0) return found(search, search.home);
  const [start] = nowAt;
  const sure =
    start !== undefined && nowAt.length === 1 && telling(quote) >= UNMISTAKABLE && evidence(start) > 0;
  return sure ? found(search, start) : LOST;
}

type LineMap = {
  changes: Change[];
  /** Where each old line is now, and where each new line was; -1 for none. Counted from zero. */
  to: Int32Array;
  from: Int32Array;
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
  return { changes, to, from };
}

/** Where the lines are, up to one more than are told apart: what is there more often is no place to be sure of. */
function occurrences(quote: readonly string[], lines: readonly string[]): number[] {
  const found: number[] = [];
  for (let start = lines.indexOf(quote[0]!); start >= 0; start = lines.indexOf(quote[0]!, start + 1)) {
    if (quote.every((line, i) => lines[start + i] === line)) found.push(start);
    if (found.length > OCCURRENCES_MAX) break;
  }
  return found;
}

const isWritten = (line: string) => line.trim() !== "";

/** How many lines on either side of two places agree without a break, of those that prove anything. */
function around(
  a: readonly string[],
  from: number,
  b: readonly string[],
  to: number,
  length: number,
  proves = isWritten,
): number {
  let proof = 0;
  for (let i = 1; i <= AROUND && from - i >= 0 && to - i >= 0 && a[from - i] === b[to - i]; i += 1)
    if (proves(a[from - i]!)) proof += 1;
  const [end, toEnd] = [from + length, to + length];
  for (let i = 0; i < AROUND && end + i < a.length && toEnd + i < b.length; i += 1) {
    if (a[end + i] !== b[toEnd + i]) break;
    if (proves(a[end + i]!)) proof += 1;
  }
  return proof;
}

function telling(quote: readonly string[]): number {
  return quote.reduce((sum, line) => sum + (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

/** The share of words that two lines have in common, from 0 to 1. */
function alike(one: string, other: string): number {
  const [a, b] = [one, other].map((line) => line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
  if (a!.length + b!.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of a!) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b!) {
    const n = left.get(word) ?? 0;
    if (n > 0) common += 1;
    left.set(word, n - 1);
  }
  return (2 * common) / (a!.length + b!.length);
}
