import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { readLocaleChoice } from "#app/web/session/choices.ts";
import { parseCookies } from "#app/web/session/cookies.ts";
import { LOCALE_NAMES, LOCALES, type Locale, negotiateLocale } from "#domain/locale.ts";

// The page fetches nothing, because the server is overloaded. It repeats the colours of `styles/tokens/values.css`.
const STYLE = `
  :root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; }
  :root { background: light-dark(#faf8f4, #191816); color: light-dark(#211f1b, #ece8df); }
  body { display: grid; min-block-size: 90vh; place-content: center; margin-inline: 1.5rem; }
  main { max-inline-size: 32rem; }
  h1 { margin-block: 0.25rem; font-size: 1.5rem; line-height: 1.3; text-wrap: balance; }
  .brand { margin: 0; color: light-dark(#5f594d, #b0a999); font-weight: 600; }
  a { display: inline-block; padding: 0.5rem 1rem; border-radius: 0.375rem; font-size: 1rem; font-weight: 600; }
  a { background: light-dark(#1f4e9e, #9dbcf7); color: light-dark(#ffffff, #14213a); text-decoration: none; }
  a:focus-visible { outline: 0.1875rem solid light-dark(#163a78, #c0d5fb); outline-offset: 0.125rem; }
`;
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page depends only on the language and on whether something was sent, so every variant is rendered once. */
const PAGES = new Map(
  LOCALE_NAMES.flatMap((locale) =>
    [true, false].map((sent) => [toCacheKey(locale, sent), renderBusyPage(locale, sent)] as const),
  ),
);

function toCacheKey(locale: Locale, sent: boolean): string {
  return `${locale} ${sent}`;
}

function renderBusyPage(locale: Locale, sent: boolean): string {
  const { busy: text, product } = getDictionary(locale);
  const advice = sent ? `<p>${text.notSaved}</p>` : `<p><a href="">${text.again}</a></p>`;
  return `<!DOCTYPE html><html lang="${locale}" dir="${LOCALES[locale].dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text.title}</title><style>${STYLE}</style></head><body><main><p class="brand">${product}</p><h1>${text.title}</h1><p>${text.lead}</p>${advice}</main></body></html>`;
}

export function answerBusyPage(req: Request, res: Response, status: number): void {
  const chosen = readLocaleChoice(parseCookies(req.headers.cookie), req.secure);
  const locale = chosen ?? negotiateLocale(req.headers["accept-language"] ?? "");
  const sent = req.method !== "GET" && req.method !== "HEAD";
  res.setHeader("Content-Security-Policy", POLICY);
  res
    .status(status)
    .type("html")
    .send(PAGES.get(toCacheKey(locale, sent)));
}
