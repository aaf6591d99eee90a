import { itemAt } from "#domain/required.ts";
import { listOwnWords } from "#domain/text/common-words.ts";
import { countOwnLetters, isWritten, type LineIndex, numberAtLine } from "#domain/text/line-index.ts";
import type { LineMap } from "#domain/text/line-map.ts";

/** The definition around a line: the function, class or block that it belongs to. Lines are counted from zero. */

/** How far up it is looked for. */
const LINES_MAX = 2_000;

/** How a line begins that belongs to one above it of the same indent, as the `{` below the head of a function does. */
const CONTINUES = /^\s*(?:[)\]{}]|<\/|end\b|else\b|elif\b|except\b|finally\b|catch\b|rescue\b|ensure\b)/;
const measureIndent = (line: string) => line.length - line.trimStart().length;

/** The nearest line above that is less indented and has a word of its own: `function first(path) {` for what is in it. */
export function findDefinition(index: LineIndex, from: number): number | null {
  let inner = itemAt(index.lines, from);
  for (let i = from - 1; i >= 0 && from - i <= LINES_MAX; i -= 1) {
    const number = numberAtLine(index, i);
    if (!isWritten(index, number)) continue;
    const line = itemAt(index.lines, i);
    const [indent, innerIndent] = [measureIndent(line), measureIndent(inner)];
    if (indent > innerIndent || (indent === innerIndent && !CONTINUES.test(inner))) continue;
    if (countOwnLetters(index, number) > 0) return i;
    inner = line;
  }
  return null;
}

/** Whether the line `now` of the new text is in the definition that the line `was` was in, which may have been changed or moved. */
export function keepsDefinition(map: LineMap, was: number, now: number): boolean {
  const [before, after] = [findDefinition(map.was, was), findDefinition(map.now, now)];
  if (before === null || after === null) return false;
  const nameAt = ({ lines }: LineIndex, line: number) => listOwnWords(itemAt(lines, line))[0];
  return map.to[before] === after || nameAt(map.was, before) === nameAt(map.now, after);
}

/** Whether the line `now` of the new text is in a definition that the old text has, too. */
export function isInOldDefinition(map: LineMap, now: number): boolean {
  const definition = findDefinition(map.now, now);
  return definition !== null && map.was.numbersByLine.has(itemAt(map.now.lines, definition));
}
