import { escapeHtml } from "#domain/text/escape-html.ts";
import { hasItem } from "#domain/typed-keys.ts";

/** A share embedded in a page of another site: the code of one file in a frame. */

const EMBED_THEMES = ["auto", "light", "dark"] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];

export const readEmbedTheme = (text: string | null): EmbedTheme =>
  hasItem(EMBED_THEMES, text) ? text : "auto";

/** A frame has no form for a password and cannot ask before it uses a view. */
export function isEmbeddable(share: { password: unknown; views_left: number | null }): boolean {
  return share.password === null && share.views_left === null;
}

/** A frame shows only the beginning of a longer text, with a link to the rest. */
const EMBED_LINES_MAX = 1_000;
const EMBED_CHARACTERS_MAX = 100_000;

export function cutForEmbed(text: string): { text: string; isWhole: boolean } {
  const lines = text.split("\n", EMBED_LINES_MAX + 1);
  const beginning = lines.length > EMBED_LINES_MAX ? lines.slice(0, EMBED_LINES_MAX).join("\n") : text;
  const cutText = beginning.length > EMBED_CHARACTERS_MAX ? cutCharacters(beginning) : beginning;
  return { text: cutText, isWhole: cutText === text || `${cutText}\n` === text };
}

/** Never cuts a surrogate pair. */
const cutCharacters = (text: string) => text.slice(0, EMBED_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, "");

/** Pixels from `styles/files/embed.css`: a line of code, and everything around the lines. */
const LINE_PX = 24;
const FRAME_PX = 76;
const HEIGHT_MAX_PX = 600;
export const EMBED_WIDTH_PX = 720;

export function embedHeightPx(lines: number): number {
  return Math.min(FRAME_PX + LINE_PX * Math.max(lines, 1), HEIGHT_MAX_PX);
}

type EmbedFrame = { src: string; title: string; heightPx: number; maxWidthPx?: number };

/**
 * Returns the HTML for other sites. It loads no script into their page. The frame may run its own script and open the share in
 * a new tab without a sandbox, and nothing else.
 */
export function toEmbedCode({ src, title, heightPx, maxWidthPx }: EmbedFrame): string {
  const width = maxWidthPx === undefined ? "width:100%" : `width:100%;max-width:${maxWidthPx}px`;
  const sandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
  return `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" loading="lazy" sandbox="${sandbox}" style="${width};height:${heightPx}px;border:0"></iframe>`;
}
