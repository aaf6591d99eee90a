import { setImmediate } from "node:timers/promises";
import type { AppLoadContext } from "@remix-run/node";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { answerForeign } from "#app/viewers/foreign-answer.ts";
import { render } from "#app/viewers/renderer.server.ts";

const BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** Answers with the page that a text describes, made inert for a frame. */
export async function answerInertPage(
  context: AppLoadContext,
  owner: string,
  body: string,
): Promise<Response> {
  const rendered = await render(context.services.threads, owner, { kind: "html", body });
  const { notRendered } = getDictionary(await context.locale()).viewers;
  const html = rendered.ok ? rendered.html : await toSourcePage(notRendered[rendered.reason], body);
  return answerForeign(html, "text/html");
}

/** Quotes stay as they are, so that a text full of them does not grow. */
const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const PIECE_LENGTH = 64 * 1024;

/** Escapes long texts in pieces, with pauses for other requests. */
async function toSourcePage(notice: string, body: string): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < body.length; start += PIECE_LENGTH) {
    pieces.push(escapeText(body.slice(start, start + PIECE_LENGTH)));
    await setImmediate();
  }
  return `<!DOCTYPE html><meta charset="utf-8"><p dir="auto"><strong>${escapeText(notice)}</strong></p><pre>${pieces.join("")}</pre>`;
}

/** Answers with the picture that a text describes, made inert. If it cannot be drawn, it is blank, and the page around it says why. */
export async function answerInertPicture(
  { services }: AppLoadContext,
  owner: string,
  body: string,
): Promise<Response> {
  const rendered = await render(services.threads, owner, { kind: "svg", body });
  return answerForeign(rendered.ok ? rendered.html : BLANK, "image/svg+xml");
}
