import type { AppLoadContext } from "@remix-run/node";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { escapeHtml } from "#app/viewers/code/code-lines.ts";
import { foreignAnswer } from "#app/viewers/foreign-answer.ts";
import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";

const BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** A text as the page it describes, inert, for a frame. */
export async function pageAnswer(context: AppLoadContext, owner: string, body: string): Promise<Response> {
  const rendered = await render(context.services.threads, owner, { kind: "html", body });
  const { notRendered } = getDictionary(await context.locale()).viewers;
  const html = rendered.ok ? rendered.html : sourceWith(notRendered[rendered.reason], body);
  return foreignAnswer(html, "text/html");
}

/** The beginning of the text is enough here: the page around has the whole of it as source. */
function sourceWith(notice: string, body: string): string {
  const start = body.slice(0, RENDER_MAX_LENGTH).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const more = body.length > RENDER_MAX_LENGTH ? "…" : "";
  return `<!DOCTYPE html><meta charset="utf-8"><p dir="auto"><strong>${escapeHtml(notice)}</strong></p><pre>${start}${more}</pre>`;
}

/** A text as the picture it describes, inert. What cannot be drawn is a blank one; the page around it says why. */
export async function pictureAnswer(
  { services }: AppLoadContext,
  owner: string,
  body: string,
): Promise<Response> {
  const rendered = await render(services.threads, owner, { kind: "svg", body });
  return foreignAnswer(rendered.ok ? rendered.html : BLANK, "image/svg+xml");
}
