/**
 * The tasks of a note, counted once for everyone: what the page shows as the third box is what a client ticks as index 2.
 *
 * A task is a line of indent, `-`, `*` or `+`, a space, `[ ]`, `[x]` or `[X]`, then a space or the end of the line. Lines inside fenced
 * code are code. A fence may be indented by any amount, because the item of a list around it may be; one never closed goes to the end.
 */
export type NoteTask = {
  index: number;
  /** Counted from zero. */
  line: number;
  /** Where the mark between the brackets is, in UTF-16 units as JavaScript counts. */
  at: number;
  checked: boolean;
  text: string;
};

const TASK = /^([ \t]*[-*+] \[)([ xX])\](?: (.*))?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;
const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/y;

export function tasksIn(content: string): NoteTask[] {
  const tasks: NoteTask[] = [];
  let fence: string | null = null;
  let at = 0;
  for (const [line, [whole, text]] of splitLines(content).entries()) {
    const mark = fenceMark(text);
    const [, start, box, words] = (fence === null && !mark ? TASK.exec(text) : null) ?? [];
    if (fence !== null) fence = closes(mark, fence) ? null : fence;
    else if (mark && opens(mark)) fence = mark.marks;
    if (start !== undefined)
      tasks.push({
        index: tasks.length,
        line,
        at: at + start.length,
        checked: box !== " ",
        text: words ?? "",
      });
    at += whole.length;
  }
  return tasks;
}

function splitLines(content: string): [whole: string, text: string][] {
  const lines: [string, string][] = [];
  LINE.lastIndex = 0;
  while (LINE.lastIndex < content.length) {
    const [whole = "", text = ""] = LINE.exec(content) ?? [];
    lines.push([whole, text]);
  }
  return lines;
}

type FenceMark = { marks: string; rest: string };

function fenceMark(text: string): FenceMark | null {
  const [, marks, rest = ""] = FENCE.exec(text) ?? [];
  return marks === undefined ? null : { marks, rest };
}

/** Words after backticks that have backticks themselves are code within a line, not a fence. */
const opens = ({ marks, rest }: FenceMark) => marks[0] === "~" || !rest.includes("`");

const closes = (mark: FenceMark | null, fence: string) =>
  mark !== null && mark.marks[0] === fence[0] && mark.marks.length >= fence.length && mark.rest.trim() === "";

type TaskChange = { content: string; changed: boolean };

/** The content with one task ticked or unticked; only its mark changes. Null where there is no such task. */
export function setTask(content: string, index: number, checked: boolean): TaskChange | null {
  const task = tasksIn(content)[index];
  if (!task) return null;
  if (task.checked === checked) return { content, changed: false };
  const mark = checked ? "x" : " ";
  return { content: content.slice(0, task.at) + mark + content.slice(task.at + 1), changed: true };
}
