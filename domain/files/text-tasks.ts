/**
 * Lines of a Markdown text that may be tasks: in lists of any kind, also numbered ones and those in quotations. Which of them really
 * are is said by the preview alone: it marks these lines, renders the text, and sees which marks stand beside a box. So a line in code,
 * which looks the same, has a number here and no box there.
 */
export type TextTask = {
  /** Where the mark between the brackets is, and where the words begin, in UTF-16 units as JavaScript counts. */
  at: number;
  wordsAt: number;
  checked: boolean;
  text: string;
};

/** Words that would begin a block of their own are left out: with a mark before them they would not. */
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

/** The text with one of these lines ticked or unticked; only its mark changes. Null where there is no such line. */
export function setTextTask(body: string, index: number, checked: boolean): string | null {
  const task = listTextTasks(body)[index];
  if (!task) return null;
  return task.checked === checked
    ? body
    : body.slice(0, task.at) + (checked ? "x" : " ") + body.slice(task.at + 1);
}
