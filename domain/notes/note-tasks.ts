/**
 * Finds and numbers the tasks of a note. Pages and clients share these numbers: the third box on the page is index 2. A task is a line of
 * indent, `-`, `*` or `+`, a space, `[ ]`, `[x]` or `[X]`, then a space or the end of the line. Lines in fenced code are no tasks. A fence
 * may be indented by any amount, because a list item around it may be. An unclosed fence extends to the end.
 */
export type NoteTask = {
  index: number;
  /** Counted from zero. */
  line: number;
  /** The offset of the mark between the brackets, in UTF-16 units. */
  at: number;
  checked: boolean;
  text: string;
};

const TASK = /^([ \t]*[-*+] \[)([ xX])\](?: (.*))?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;
const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/y;

export function findTasks(content: string): NoteTask[] {
  const tasks: NoteTask[] = [];
  let fence: string | null = null;
  let offset = 0;
  for (const [line, [lineWithEnd, text]] of splitLines(content).entries()) {
    const mark = parseFence(text);
    const [, start, box, words] = (fence === null && !mark ? TASK.exec(text) : null) ?? [];
    if (fence !== null) fence = closesFence(mark, fence) ? null : fence;
    else if (mark && opensFence(mark)) fence = mark.marks;
    if (start !== undefined)
      tasks.push({
        index: tasks.length,
        line,
        at: offset + start.length,
        checked: box !== " ",
        text: words ?? "",
      });
    offset += lineWithEnd.length;
  }
  return tasks;
}

function splitLines(content: string): [whole: string, text: string][] {
  const lines: [string, string][] = [];
  LINE.lastIndex = 0;
  while (LINE.lastIndex < content.length) {
    const [lineWithEnd = "", text = ""] = LINE.exec(content) ?? [];
    lines.push([lineWithEnd, text]);
  }
  return lines;
}

type FenceMark = { marks: string; rest: string };

function parseFence(text: string): FenceMark | null {
  const [, marks, rest = ""] = FENCE.exec(text) ?? [];
  return marks === undefined ? null : { marks, rest };
}

/** If backticks follow the backticks and their words, this is code within a line and no fence. */
const opensFence = ({ marks, rest }: FenceMark) => marks[0] === "~" || !rest.includes("`");

const closesFence = (mark: FenceMark | null, fence: string) =>
  mark !== null && mark.marks[0] === fence[0] && mark.marks.length >= fence.length && mark.rest.trim() === "";

type TaskChange = { content: string; changed: boolean };

/** Sets or clears the mark of a task. Returns null if there is no such task. */
export function setTask(content: string, index: number, checked: boolean): TaskChange | null {
  const task = findTasks(content)[index];
  if (!task) return null;
  if (task.checked === checked) return { content, changed: false };
  const mark = checked ? "x" : " ";
  return { content: content.slice(0, task.at) + mark + content.slice(task.at + 1), changed: true };
}
