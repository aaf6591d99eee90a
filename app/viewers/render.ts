import { renderMarkdown } from "#app/viewers/markdown/markdown.ts";
import { parseNotebook } from "#app/viewers/notebook.ts";
import {
  RENDER_MAX_LENGTH,
  type Rendered,
  type RenderKind,
  type RenderTask,
} from "#app/viewers/render-task.ts";
import { sanitiseHtml, sanitiseSvg } from "#app/viewers/sanitise.ts";

type Render<Kind extends RenderKind> = (task: RenderTask<Kind>) => Rendered | Promise<Rendered>;

/** The renderers that make each kind of foreign text harmless. */
const RENDERERS: { [Kind in RenderKind]: Render<Kind> } = {
  html: ({ body }) => toRendered(sanitiseHtml(body)),
  svg: ({ body }) => toRendered(sanitiseSvg(body)),
  markdown: renderMarkdown,
  notebook: renderNotebook,
};

function renderNotebook({ body, words }: RenderTask<"notebook">): Rendered | Promise<Rendered> {
  const parsed = parseNotebook(body);
  if (!parsed) return { ok: false, reason: "not_notebook" };
  if (parsed.text.length > RENDER_MAX_LENGTH) return { ok: false, reason: "too_large" };
  return renderMarkdown({ body: parsed.text, words, files: parsed.pictures });
}

function toRendered(html: string | null): Rendered {
  return html === null ? { ok: false, reason: "nothing_to_draw" } : { ok: true, html, headings: [] };
}

export async function render<Kind extends RenderKind>(task: RenderTask<Kind>): Promise<Rendered> {
  return RENDERERS[task.kind](task);
}

// Sanitises once while loading: if the check of the sanitiser fails, the thread ends before it answers anything.
sanitiseHtml("<p>ready</p>");
