import { compiler } from "markdown-to-jsx/html";
import { prepareMarkdown } from "#app/viewers/markdown/markdown-source.ts";
import { completeProse } from "#app/viewers/markdown/prose.ts";
import type { MarkdownInput, Rendered } from "#app/viewers/render-task.ts";
import { sanitiseProse } from "#app/viewers/sanitise.ts";
import {
  canMarkTasks,
  markTasks,
  type NumberedTask,
  readTaskBoxes,
  withoutMarks,
} from "#app/viewers/task-boxes.ts";
import { listTextTasks } from "#domain/files/text-tasks.ts";

// The compiler's time grows with the square of the depth, and nobody reads deeper nesting.
const TOO_DEEP =
  /^(?:[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*(?:>[ \t]?){50,}|[ \t]*(?:[-*+][ \t]+){50,}[^\s*+-])/m;

const OPTIONS = {
  disableFrontmatter: true,
  sanitizer: (address: string) => address,
  slugify: (text: string) => text,
  wrapper: null,
};

/** Renders Markdown as inert HTML. The compiler's output is sanitised like foreign markup; addresses, anchors and classes are ours. */
export async function renderMarkdown({ body, words, files, ticking }: MarkdownInput): Promise<Rendered> {
  if (TOO_DEEP.test(body)) return { ok: false, reason: "too_deep" };
  const { html, footnotes } = compile(body);
  const tasks = ticking ? findTaskBoxes(body, html) : [];
  return { ok: true, ...(await completeProse(sanitiseProse(html), words, { files, footnotes, tasks })) };
}

function compile(body: string): { html: string; footnotes: number } {
  const source = prepareMarkdown(body, (words) => compiler(words, { ...OPTIONS, forceInline: true }));
  const notes = source.footnotes.map(
    (note) => `<li>${compiler(note, { ...OPTIONS, forceBlock: true })}</li>`,
  );
  const footer = notes.length > 0 ? `<footer><ol>${notes.join("")}</ol></footer>` : "";
  return { html: compiler(source.text, OPTIONS) + footer, footnotes: notes.length };
}

/** Finds the task of each checkbox in this HTML; none if marking the tasks would change anything else in it. */
function findTaskBoxes(body: string, html: string): (NumberedTask | null)[] {
  const tasks = canMarkTasks(body) ? listTextTasks(body) : [];
  if (tasks.length === 0) return [];
  const marked = compile(markTasks(body, tasks)).html;
  if (withoutMarks(marked) !== html) return [];
  return readTaskBoxes(sanitiseProse(marked).querySelectorAll("input"), tasks);
}
