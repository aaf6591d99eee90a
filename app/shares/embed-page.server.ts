import { getDictionary } from "#app/i18n/dictionaries.ts";
import style from "#app/styles/files/embed.css?inline";
import { LOCALES, type Locale } from "#domain/locale.ts";
import type { EmbedTheme } from "#domain/shares/embed.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/** The page that other sites show in a frame. It is self-contained and sends no requests. */
type EmbedPage = {
  locale: Locale;
  theme: EmbedTheme;
  nonce: string;
  title: string;
  content: string;
};

/**
 * Sends the height of the content to the page that frames it, each time it changes; without the script the frame keeps its own. The body is
 * not measured, because it is never smaller than the frame.
 */
const SCRIPT = `const main = document.querySelector("main");
new ResizeObserver(() => {
  const border = document.body.clientTop;
  const height = Math.ceil(main.getBoundingClientRect().bottom + scrollY + border);
  parent.postMessage({ type: "codeshelf:height", height }, "*");
}).observe(main);`;

export function writeEmbedPage({ locale, theme, nonce, title, content }: EmbedPage): string {
  const { product } = getDictionary(locale);
  return `<!DOCTYPE html><html lang="${locale}" dir="${LOCALES[locale].dir}" data-theme="${theme === "auto" ? "system" : theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow, noarchive"><title>${escapeHtml(title)} · ${product}</title><style nonce="${nonce}">${style}</style></head><body>${content}<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}

/** Writes the policy of an embedded page, which cannot fetch, send or frame anything. Any site can frame it. */
export function createEmbedPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "frame-ancestors *",
  ].join("; ");
}

type EmbeddedCode = { locale: Locale; fileName: string; address: string; html: string; isWhole: boolean };

export function writeEmbeddedCode({ locale, fileName, address, html, isWhole }: EmbeddedCode): string {
  const { shares, file } = getDictionary(locale);
  const cutNotice = isWhole ? "" : `<p>${shares.embedCut} ${linkTo(address, shares.embedRest)}</p>`;
  return `<header><h1><bdi dir="ltr">${escapeHtml(fileName)}</bdi></h1>${linkTo(address, shares.embedOpen)}</header><main><section class="code-box" aria-label="${escapeHtml(file.code)}" tabindex="0" dir="ltr"><pre class="code"><code>${html}</code></pre></section>${cutNotice}</main>`;
}

/** Renders a message in place of the code. It reveals nothing about the file. */
export function writeEmbedNotice(message: string, open: { address: string; words: string } | null): string {
  const link = open ? ` ${linkTo(open.address, open.words)}` : "";
  return `<main><p>${escapeHtml(message)}${link}</p></main>`;
}

const linkTo = (address: string, linkText: string) =>
  `<a href="${escapeHtml(address)}" target="_blank" rel="noopener">${escapeHtml(linkText)}</a>`;
