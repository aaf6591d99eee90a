import { isolateCells, isolateProse } from "#app/viewers/code/line-directions.ts";
import { isProse, type LanguageName } from "#domain/files/language.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/** Source code as HTML, one element per line with its number. Everything that comes from a file is escaped before it is here. */
/** So many lines are a block, which browsers lay out only when it comes into sight. `code.css` gives it its height. */
export const BLOCK_LINES = 200;
/** How much marks that run over line ends may add, in relation to the text and its marks. */
const REPEATED_MAX_FACTOR = 2;
const REPEATED_MIN = 64 * 1024;

/**
 * What the address of a line keeps of the page's own query, as HTML: the server then learns which line was chosen, and the page has it in its
 * forms without JavaScript. Null where lines are only looked at.
 */
export type LineQuery = string | null;

/** A query that is longer costs a page of many lines too much. */
const LINE_QUERY_MAX = 200;

export function toLineQuery(kept: Record<string, string>): LineQuery {
  const written = Object.entries(kept).map(([name, value]) => `${name}=${encodeURIComponent(value)}&amp;`);
  const query = written.join("");
  return query.length > LINE_QUERY_MAX ? null : query;
}

/** How lines are numbered: from which number on, and what their addresses keep. Their language decides which way their words run. */
type Numbering = { first?: number; query?: LineQuery; language?: LanguageName };

const numbered = (n: number, html: string, query: LineQuery) =>
  `<span class="line" id="L${n}"><a class="line-number" href="${query === null ? "" : `?${query}L=${n}`}#L${n}">${n}</a>${html}</span>`;

/** An uncoloured text, cut into lines. Its time and length grow with the text alone. */
export function numberPlainLines(body: string, numbering?: Numbering): string {
  const html = numbering?.language === "csv" ? isolateCells(body) : escapeHtml(body);
  return numberLines(html, numbering) ?? "";
}

/**
 * Cuts highlighted HTML into lines; a colour that runs over a line's end is closed there and opened again. Null where so much would
 * have to be opened again that the page would grow far beyond its text.
 */
export function numberLines(
  html: string,
  { first = 1, query = null, language = "text" }: Numbering = {},
): string | null {
  const place = isProse(language) ? isolateProse : (line: string) => line;
  const end = findTextEnd(html);
  const lines: string[] = [];
  const open: string[] = [];
  let left = Math.max(REPEATED_MIN, REPEATED_MAX_FACTOR * html.length);
  for (let at = 0, n = first; at <= end; n += 1) {
    const before = open.join("");
    left -= before.length;
    if (left < 0) return null;
    const next = html.indexOf("\n", at);
    const lineEnd = next < 0 || next > end ? end : next;
    const line = html.slice(at, lineEnd);
    followMarks(line, open);
    lines.push(numbered(n, place(before + line + "</span>".repeat(open.length)), query));
    at = lineEnd + 1;
  }
  return joinInBlocks(lines);
}

/** The last lines, where they are fewer than a block has, stand by themselves: the height of a block is known before it is laid out. */
function joinInBlocks(lines: readonly string[]): string {
  const blocks: string[] = [];
  let at = 0;
  for (; at + BLOCK_LINES < lines.length; at += BLOCK_LINES)
    blocks.push(`<span class="lines">${lines.slice(at, at + BLOCK_LINES).join("\n")}\n</span>`);
  return blocks.join("") + lines.slice(at).join("\n");
}

/** Where the last line ends: a text that ends with a line end has no line behind it, also where that stands within a mark. */
function findTextEnd(html: string): number {
  let end = html.length;
  while (html.endsWith("</span>", end)) end -= "</span>".length;
  return html[end - 1] === "\n" ? end - 1 : html.length;
}

/** Which marks are open behind a line. */
function followMarks(line: string, open: string[]): void {
  for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
    if (tag === "</span>") open.pop();
    else open.push(tag);
  }
}
