import { diffLines } from "#domain/text/line-diff.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

/** A line of the difference of two texts: in both, only in the first or only in the second, with the differing words marked. */
export type DifferenceLine = { side: "both" | "first" | "second"; pieces: Piece[] };

export function diffTexts(first: string, second: string): DifferenceLine[] {
  const [from, to] = [first.split("\n"), second.split("\n")];
  const lines: DifferenceLine[] = [];
  let line = 0;
  const addEqual = (end: number) => {
    for (const text of from.slice(line, end))
      lines.push({ side: "both", pieces: [{ text, changed: false }] });
  };
  for (const change of diffLines(from, to)) {
    addEqual(change.from);
    const pairs = Math.max(change.removed.length, change.added.length);
    for (let i = 0; i < pairs; i += 1) lines.push(...pairLines(change.removed[i], change.added[i]));
    line = change.from + change.removed.length;
  }
  addEqual(from.length);
  return lines;
}

/** Pairs a line with its replacement, so that both are shown beside each other. */
function pairLines(removed: string | undefined, added: string | undefined): DifferenceLine[] {
  const words = removed !== undefined && added !== undefined ? diffWords(removed, added) : null;
  const mark = (text: string) => [{ text, changed: true }];
  return [
    ...(removed === undefined ? [] : [{ side: "first" as const, pieces: words?.removed ?? mark(removed) }]),
    ...(added === undefined ? [] : [{ side: "second" as const, pieces: words?.added ?? mark(added) }]),
  ];
}
