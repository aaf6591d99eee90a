import { itemAt } from "#domain/required.ts";

/**
 * Long texts are shown in parts, so that a page costs the same however long its text is. A part ends where it has this many lines or this many
 * characters. A text that has fewer of both is one part.
 */
export const PART_MAX_LINES = 20_000;
export const PART_MAX_LENGTH = 1024 * 1024;
/** A longer line is shown up to here. */
export const SHOWN_LINE_MAX = 20_000;

/** The field of an address that names the first line of a part. */
export const PART_FIELD = "from";

/** Which lines of a text are shown, the number of its own first and last line, and whether some lines are longer than what is shown. */
export type ShownLines = { first: number; last: number; start: number; total: number; hasCutLines: boolean };
type TextPart = Omit<ShownLines, "start"> & { text: string };

type PartStart = { line: number; at: number };

/** The part that has the line; behind the last line, the last part. */
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

/** Whether every line is in the same part. It looks at no more than one part. */
export function isOnePart(text: string): boolean {
  if (text.length > PART_MAX_LENGTH) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) {
    lines += 1;
    if (lines > PART_MAX_LINES) return false;
  }
  return true;
}

/** The first line of each part. */
export function listPartStarts(text: string): number[] {
  return findParts(text).starts.map(({ line }) => line);
}

function findParts(text: string): { starts: PartStart[]; total: number } {
  const starts: PartStart[] = [{ line: 1, at: 0 }];
  let [line, length, lines] = [0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found + 1;
    const shown = Math.min(end - at, SHOWN_LINE_MAX + 1);
    line += 1;
    if (lines === PART_MAX_LINES || length + shown > PART_MAX_LENGTH) {
      starts.push({ line, at });
      [length, lines] = [0, 0];
    }
    length += shown;
    lines += 1;
    at = end;
  }
  return { starts, total: line };
}

function cutLongLines(text: string): { shown: string; hasCutLines: boolean } {
  const lines = text.split("\n");
  if (lines.every(({ length }) => length <= SHOWN_LINE_MAX)) return { shown: text, hasCutLines: false };
  return { shown: lines.map(cutLine).join("\n"), hasCutLines: true };
}

/** Half a character pair at the cut is left out. */
function cutLine(line: string): string {
  if (line.length <= SHOWN_LINE_MAX) return line;
  return `${line.slice(0, SHOWN_LINE_MAX).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
