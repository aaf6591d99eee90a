import type { LoaderFunctionArgs } from "@remix-run/node";
import { textOf } from "#app/i18n/text.ts";
import { foreignAnswer } from "#app/viewers/foreign-answer.ts";
import { escapeHtml } from "#app/viewers/highlight.server.ts";
import { openView } from "#app/viewers/open-view.server.ts";

/** The file as the page it describes, inert, for a frame. */
export async function loader(args: LoaderFunctionArgs) {
  const { body } = await openView(args, "html");
  const rendered = await args.context.shelf.renderer.render({ kind: "html", body });
  const { notRendered } = textOf(await args.context.locale()).viewers;
  const html = rendered.ok ? rendered.html : sourceWith(notRendered[rendered.reason], body);
  args.context.answer = foreignAnswer(html, "text/html");
  return null;
}

function sourceWith(notice: string, body: string): string {
  return `<!DOCTYPE html><meta charset="utf-8"><p dir="auto"><strong>${escapeHtml(notice)}</strong></p><pre>${escapeHtml(body)}</pre>`;
}

/** Never shown: with a component, a missing file gets the error page. */
export default function Html() {
  return null;
}
