import { isolateCells, isolateProse } from "#app/viewers/code/line-directions.ts";
import { isProse, type LanguageName } from "#domain/files/language.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";

/** Renders code as HTML, one element per line with its number. All input is escaped already. */
/** The lines of a block, which browsers lay out only when it comes into view. `code.css` sets its height. */
export const BLOCK_LINES = 200;
/** How much markup may be repeated for marks across line ends, relative to the HTML's length. */
const REPEATED_MAX_FACTOR = 2;
const REPEATED_MIN = 64 * 1024;

/** The query that a line's address keeps, as HTML, so that forms know the line without JavaScript. Null if lines cannot be chosen. */
export type LineQuery = string | null;

/** A longer query makes pages with many lines too large. */
const LINE_QUERY_MAX = 200;

export function toLineQuery(fields: Record<string, string>): LineQuery {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}&amp;`);
  const query = pairs.join("");
  return query.length > LINE_QUERY_MAX ? null : query;
}

/** The first number, the kept query, and the language, which decides the direction of lines. */
type Numbering = { first?: number; query?: LineQuery; language?: LanguageName };

const toLine = (n: number, html: string, query: LineQuery) =>
  `<span class="line" id="L${n}"><a class="line-number" href="${query === null ? "" : `?${query}L=${n}`}#L${n}">${n}</a>${html}</span>`;

/** Numbers the lines of plain text in time and length proportional to the text. */
export function numberPlainLines(body: string, numbering?: Numbering): string {
  const html = numbering?.language === "csv" ? isolateCells(body) : escapeHtml(body);
  return numberLines(html, numbering) ?? "";
}

/** Cuts highlighted HTML into lines and reopens marks across line ends. Null if the page would grow far beyond its text. */
export function numberLines(
  html: string,
  { first = 1, query = null, language = "text" }: Numbering = {},
): string | null {
  const isolate = isProse(language) ? isolateProse : (line: string) => line;
  const end = findTextEnd(html);
  const lines: string[] = [];
  const open: string[] = [];
  let budget = Math.max(REPEATED_MIN, REPEATED_MAX_FACTOR * html.length);
  for (let start = 0, n = first; start <= end; n += 1) {
    const before = open.join("");
    budget -= before.length;
    if (budget < 0) return null;
    const next = html.indexOf("\n", start);
    const lineEnd = next < 0 || next > end ? end : next;
    const line = html.slice(start, lineEnd);
    updateOpenMarks(line, open);
    lines.push(toLine(n, isolate(before + line + "</span>".repeat(open.length)), query));
    start = lineEnd + 1;
  }
  return joinInBlocks(lines);
}

/** Joins lines in blocks of equal size, so that the height of a block is known before layout. The last lines stay outside blocks. */
function joinInBlocks(lines: readonly string[]): string {
  const blocks: string[] = [];
  let start = 0;
  for (; start + BLOCK_LINES < lines.length; start += BLOCK_LINES)
    blocks.push(`<span class="lines">${lines.slice(start, start + BLOCK_LINES).join("\n")}\n</span>`);
  return blocks.join("") + lines.slice(start).join("\n");
}

/** Finds the end of the last line. A final line end starts no further line, even within a mark. */
function findTextEnd(html: string): number {
  let end = html.length;
  while (html.endsWith("</span>", end)) end -= "</span>".length;
  return html[end - 1] === "\n" ? end - 1 : html.length;
}

function updateOpenMarks(line: string, open: string[]): void {
  for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
    if (tag === "</span>") open.pop();
    else open.push(tag);
  }
}
