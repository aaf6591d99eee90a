/**
 * Finds the lines of a Markdown text that may be tasks, in any kind of list and in quotations. Only the preview decides which
 * are tasks: it marks these lines, renders the text and checks which marks are beside a box. So a similar line in code has a
 * number here but no box there.
 */
export type TextTask = {
  /** The offsets of the mark between the brackets and of the words, in UTF-16 units. */
  at: number;
  wordsAt: number;
  checked: boolean;
  text: string;
};

/** Excludes words that begin a block of their own, because a mark before them would change that. */
const TASK =
  /^(\uFEFF?(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t]){0,60}(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\][ \t]+)(?![#>|]|```|~~~|[-*+][ \t]|\d{1,9}[.)][ \t])(\S[^\r\n]*)/gm;

export function listTextTasks(body: string): TextTask[] {
  return Array.from(
    body.matchAll(TASK),
    ({ index, 1: start = "", 2: mark, 3: blanks = "", 4: text = "" }) => ({
      at: index + start.length,
      wordsAt: index + start.length + 1 + blanks.length,
      checked: mark !== " ",
      text: text.trimEnd(),
    }),
  );
}

/** Checks or unchecks a task by changing only its mark. Returns null if the text has no such task. */
export function setTextTask(body: string, index: number, checked: boolean): string | null {
  const task = listTextTasks(body)[index];
  if (!task) return null;
  return task.checked === checked
    ? body
    : body.slice(0, task.at) + (checked ? "x" : " ") + body.slice(task.at + 1);
}
