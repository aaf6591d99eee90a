import { escapeHtml } from "#domain/text/escape-html.ts";
import { hasItem } from "#domain/typed-keys.ts";

/** What a share shows on pages of other sites: the code of one file in a frame. */

const EMBED_THEMES = ["auto", "light", "dark"] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];

export const readEmbedTheme = (given: string | null): EmbedTheme =>
  hasItem(EMBED_THEMES, given) ? given : "auto";

/** Whether others may embed a share: a frame has no form for a password, and cannot ask before it uses a view. */
export function isEmbeddable(share: { password: unknown; views_left: number | null }): boolean {
  return share.password === null && share.views_left === null;
}

/** A frame shows the beginning of a longer text, and leads to the rest. */
const EMBED_LINES_MAX = 1_000;
const EMBED_CHARACTERS_MAX = 100_000;

/** The part of a text that a frame shows, and whether that is all of it. */
export function cutForEmbed(text: string): { text: string; isWhole: boolean } {
  const lines = text.split("\n", EMBED_LINES_MAX + 1);
  const shown = lines.length > EMBED_LINES_MAX ? lines.slice(0, EMBED_LINES_MAX).join("\n") : text;
  const cut = shown.length > EMBED_CHARACTERS_MAX ? cutCharacters(shown) : shown;
  return { text: cut, isWhole: cut === text || `${cut}\n` === text };
}

/** Never ends between the halves of a character. */
const cutCharacters = (text: string) => text.slice(0, EMBED_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, "");

/** Pixels of `styles/files/embed.css`: a line of code, and the head, the padding and a scroll bar around the lines. */
const LINE_PX = 24;
const AROUND_PX = 76;
const HEIGHT_MAX_PX = 600;
export const EMBED_WIDTH_PX = 720;

/** How high a frame is that shows so many lines. A longer text scrolls inside it. */
export function embedHeightPx(lines: number): number {
  return Math.min(AROUND_PX + LINE_PX * Math.max(lines, 1), HEIGHT_MAX_PX);
}

type EmbedFrame = { src: string; title: string; heightPx: number; maxWidthPx?: number };

/**
 * What others put into their pages. It loads no script into them. The frame's own page may run its script and open the share in a
 * tab of its own, which is an ordinary page again; it may do nothing else.
 */
export function writeEmbedCode({ src, title, heightPx, maxWidthPx }: EmbedFrame): string {
  const width = maxWidthPx === undefined ? "width:100%" : `width:100%;max-width:${maxWidthPx}px`;
  const sandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
  return `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" loading="lazy" sandbox="${sandbox}" style="${width};height:${heightPx}px;border:0"></iframe>`;
}
