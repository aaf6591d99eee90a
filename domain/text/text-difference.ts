import { diffLines } from "#domain/text/line-diff.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

/** A line of two texts read as one: in both, only in the first, or only in the second, with the words marked that differ. */
export type DifferenceLine = { side: "both" | "first" | "second"; pieces: Piece[] };

export function textDifference(first: string, second: string): DifferenceLine[] {
  const [from, to] = [first.split("\n"), second.split("\n")];
  const lines: DifferenceLine[] = [];
  let at = 0;
  const same = (end: number) => {
    for (const text of from.slice(at, end)) lines.push({ side: "both", pieces: [{ text, changed: false }] });
  };
  for (const change of diffLines(from, to)) {
    same(change.from);
    const pairs = Math.max(change.removed.length, change.added.length);
    for (let i = 0; i < pairs; i += 1) lines.push(...pairLines(change.removed[i], change.added[i]));
    at = change.from + change.removed.length;
  }
  same(from.length);
  return lines;
}

/** A line and the one in its place, together, so that what was changed stands beside what it was changed to. */
function pairLines(removed: string | undefined, added: string | undefined): DifferenceLine[] {
  const words = removed !== undefined && added !== undefined ? diffWords(removed, added) : null;
  const whole = (text: string) => [{ text, changed: true }];
  return [
    ...(removed === undefined ? [] : [{ side: "first" as const, pieces: words?.removed ?? whole(removed) }]),
    ...(added === undefined ? [] : [{ side: "second" as const, pieces: words?.added ?? whole(added) }]),
  ];
}
