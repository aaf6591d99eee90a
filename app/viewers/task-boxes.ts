import type { TextTask } from "#domain/files/text-tasks.ts";

/**
 * Finds the task of each box in a rendered text. The compiler reports no lines, so the text is rendered again with a mark before the words
 * of each task. Marks are characters that the text does not have.
 */
export type NumberedTask = TextTask & { index: number };

const [BEGIN, END] = ["\uE000", "\uE001"];
const MARK = /\uE000\d+\uE001 /g;
const HAS_MARKS = /[\uE000\uE001]|&#(?:x0*e00[01]|0*5734[45]);/i;

export function canMarkTasks(body: string): boolean {
  return !HAS_MARKS.test(body);
}

export function markTasks(body: string, tasks: readonly TextTask[]): string {
  let [marked, from] = ["", 0];
  for (const [index, { wordsAt }] of tasks.entries()) {
    marked += `${body.slice(from, wordsAt)}${BEGIN}${index}${END} `;
    from = wordsAt;
  }
  return marked + body.slice(from);
}

export const withoutMarks = (html: string) => html.replace(MARK, "");

/** Finds the task of each box, in order; null for a box without a mark, or whose state differs from its line. */
export function readTaskBoxes(
  boxes: Iterable<HTMLInputElement>,
  tasks: readonly TextTask[],
): (NumberedTask | null)[] {
  return Array.from(boxes, (box) => {
    const item = box.closest("li");
    const isFirst = item?.firstElementChild === box;
    const mark = isFirst ? /^\s*\uE000(\d+)\uE001/.exec(item.textContent ?? "") : null;
    const index = Number(mark?.[1] ?? -1);
    const task = tasks[index];
    return task && task.checked === box.hasAttribute("checked") ? { ...task, index } : null;
  });
}
