/** Tasks in a Markdown text: items of a list that begin with a box. A task is named by its line, counted from 1. */

/** The box at the beginning of an item's words. */
export const TASK_MARK = /^\[([ xX])\][ \t]+(?=\S)/;

const TASK_LINE = /^((?:[ \t]|>)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[)([ xX])(?=\][ \t]+\S)/;

export const isTaskLine = (line: string): boolean => TASK_LINE.test(line);

/** The text with the task on this line ticked or not; null where that line is no task. */
export function tickTask(text: string, line: number, done: boolean): string | null {
  const start = lineStart(text, line);
  if (start === null) return null;
  const end = text.indexOf("\n", start);
  const words = text.slice(start, end < 0 ? undefined : end);
  const before = TASK_LINE.exec(words)?.[1];
  if (before === undefined) return null;
  const box = start + before.length;
  return `${text.slice(0, box)}${done ? "x" : " "}${text.slice(box + 1)}`;
}

/** Where a line begins; null where the text has no such line. */
function lineStart(text: string, line: number): number | null {
  let start = 0;
  for (let n = 1; n < line; n += 1) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return null;
  }
  return line >= 1 ? start : null;
}
