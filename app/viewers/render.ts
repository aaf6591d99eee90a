import { renderMarkdown } from "#app/viewers/markdown.ts";
import type { Rendered, RenderTask } from "#app/viewers/render-task.ts";
import { sanitiseHtml, sanitiseSvg } from "#app/viewers/sanitise.ts";

/** Reads foreign text, on a thread of the pool. */
export async function render(task: RenderTask): Promise<Rendered> {
  if (task.kind === "markdown") return renderMarkdown(task.body, task.words);
  const html = task.kind === "html" ? sanitiseHtml(task.body) : sanitiseSvg(task.body);
  return html === null ? { ok: false, reason: "nothing_to_draw" } : { ok: true, html, headings: [] };
}

// A failed assertion about the sanitiser ends the thread before it can answer anything.
sanitiseHtml("<p>ready</p>");
