import { itemAt } from "#domain/required.ts";
import { listUncommonWords } from "#domain/text/common-words.ts";
import { countUncommonLetters, isNotBlank, type LineIndex, numberAtLine } from "#domain/text/line-index.ts";
import type { LineMap } from "#domain/text/line-map.ts";

/** Finds the definition around a line: the function, class or block that it belongs to. Lines are counted from zero. */

/** The number of lines searched upwards. */
const LINES_MAX = 2_000;

/** A line that begins like this belongs to a line above it with the same indent, as a `{` does below the head of a function. */
const CONTINUES = /^\s*(?:[)\]{}]|<\/|end\b|else\b|elif\b|except\b|finally\b|catch\b|rescue\b|ensure\b)/;
const measureIndent = (line: string) => line.length - line.trimStart().length;

/** Returns the nearest less indented line above that has a word of its own: `function first(path) {` for the lines inside. */
export function findEnclosingDefinition(index: LineIndex, from: number): number | null {
  let inner = itemAt(index.lines, from);
  for (let i = from - 1; i >= 0 && from - i <= LINES_MAX; i -= 1) {
    const number = numberAtLine(index, i);
    if (!isNotBlank(index, number)) continue;
    const line = itemAt(index.lines, i);
    const [indent, innerIndent] = [measureIndent(line), measureIndent(inner)];
    if (indent > innerIndent || (indent === innerIndent && !CONTINUES.test(inner))) continue;
    if (countUncommonLetters(index, number) > 0) return i;
    inner = line;
  }
  return null;
}

/** True if the line `now` of the new text is in the same definition as the line `was` of the old text. The definition may have changed or moved. */
export function isInSameDefinition(map: LineMap, was: number, now: number): boolean {
  const [before, after] = [findEnclosingDefinition(map.was, was), findEnclosingDefinition(map.now, now)];
  if (before === null || after === null) return false;
  const nameDefinition = ({ lines }: LineIndex, line: number) => listUncommonWords(itemAt(lines, line))[0];
  return map.to[before] === after || nameDefinition(map.was, before) === nameDefinition(map.now, after);
}

/** True if the line `now` of the new text is in a definition that the old text has too. */
export function isInOldDefinition(map: LineMap, now: number): boolean {
  const definition = findEnclosingDefinition(map.now, now);
  return definition !== null && map.was.numbersByLine.has(itemAt(map.now.lines, definition));
}
