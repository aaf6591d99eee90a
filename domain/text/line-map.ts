import { type Change, diffLines } from "#domain/text/line-diff.ts";
import { indexLines, type LineIndex, toLineNumbers } from "#domain/text/line-index.ts";

export type LineMap = {
  changes: Change[];
  onlyInserts: boolean;
  /** The new position of each old line and the old position of each new line; -1 for none. Counted from zero. */
  to: Int32Array;
  from: Int32Array;
  was: LineIndex;
  now: LineIndex;
  /** The old text in the numbers of the new one. */
  wasInNow: Int32Array;
};

const MAPS = new WeakMap<readonly string[], WeakMap<readonly string[], LineMap>>();

/** One diff serves all notes on the same version. */
export function mapLines(old: readonly string[], lines: readonly string[]): LineMap {
  const mapsByNewLines = MAPS.get(old) ?? new WeakMap<readonly string[], LineMap>();
  MAPS.set(old, mapsByNewLines);
  const map = mapsByNewLines.get(lines) ?? createMap(old, lines);
  mapsByNewLines.set(lines, map);
  return map;
}

function createMap(old: readonly string[], lines: readonly string[]): LineMap {
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
  return { changes, onlyInserts, to, from, was: indexLines(old), now, wasInNow: toLineNumbers(now, old) };
}
