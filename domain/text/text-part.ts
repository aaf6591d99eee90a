import { itemAt } from "#domain/required.ts";

/**
 * Long texts are shown in parts, so that a page costs the same for any length. A part ends at this many lines or characters,
 * whichever comes first.
 */
export const PART_MAX_LINES = 20_000;
export const PART_MAX_LENGTH = 1024 * 1024;
/** A longer line is cut here. */
export const SHOWN_LINE_MAX = 20_000;

/** The field of an address with the first line of a part. */
export const PART_FIELD = "from";

/** The shown lines, the number of the text's first and last line, and whether some lines are cut. */
export type ShownLines = { first: number; last: number; start: number; total: number; hasCutLines: boolean };
type TextPart = Omit<ShownLines, "start"> & { text: string };

type PartStart = { line: number; at: number };

/** Returns the part with the line, or the last part for a line after the end. */
export function cutPart(text: string, line: number): TextPart {
  const { starts, total } = findParts(text);
  const index = Math.max(
    0,
    starts.findLastIndex((start) => start.line <= line),
  );
  const start = itemAt(starts, index);
  const next = starts[index + 1];
  const { shown, hasCutLines } = cutLongLines(text.slice(start.at, next?.at));
  return { text: shown, first: start.line, last: next ? next.line - 1 : total, total, hasCutLines };
}

/** True if the text fits into a single part. Reads at most one part. */
export function fitsOnePart(text: string): boolean {
  if (text.length > PART_MAX_LENGTH) return false;
  let lines = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < text.length - 1; end = text.indexOf("\n", end + 1)) {
    lines += 1;
    if (lines > PART_MAX_LINES) return false;
  }
  return true;
}

export function listPartStarts(text: string): number[] {
  return findParts(text).starts.map(({ line }) => line);
}

function findParts(text: string): { starts: PartStart[]; total: number } {
  const starts: PartStart[] = [{ line: 1, at: 0 }];
  let [line, length, lines] = [0, 0, 0];
  for (let offset = 0; offset < text.length; ) {
    const newline = text.indexOf("\n", offset);
    const end = newline < 0 ? text.length : newline + 1;
    const shown = Math.min(end - offset, SHOWN_LINE_MAX + 1);
    line += 1;
    if (lines === PART_MAX_LINES || length + shown > PART_MAX_LENGTH) {
      starts.push({ line, at: offset });
      [length, lines] = [0, 0];
    }
    length += shown;
    lines += 1;
    offset = end;
  }
  return { starts, total: line };
}

function cutLongLines(text: string): { shown: string; hasCutLines: boolean } {
  const lines = text.split("\n");
  if (lines.every(({ length }) => length <= SHOWN_LINE_MAX)) return { shown: text, hasCutLines: false };
  return { shown: lines.map(cutLine).join("\n"), hasCutLines: true };
}

/** Drops half of a surrogate pair at the cut. */
function cutLine(line: string): string {
  if (line.length <= SHOWN_LINE_MAX) return line;
  return `${line.slice(0, SHOWN_LINE_MAX).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
