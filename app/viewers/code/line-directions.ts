import { escapeHtml } from "#domain/text/escape-html.ts";

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A line of prose runs in the direction of its first word; its number stays where it is. A line without such letters needs no mark. */
export const isolateProse = (html: string): string =>
  RIGHT_TO_LEFT.test(html) ? `<bdi>${html}</bdi>` : html;

/** A quoted cell, another cell, or what stands between cells. */
const CELL = /"[^"\r\n]*"|[^",;\t\r\n]+|[",;\t\r\n]/g;

/** Where the cells with such letters are in lines of a table. */
export const findRightToLeftCells = (lines: string): { from: number; to: number }[] =>
  [...lines.matchAll(CELL)]
    .filter(([cell]) => RIGHT_TO_LEFT.test(cell))
    .map(({ 0: cell, index }) => ({ from: index, to: index + cell.length }));

/** Escaped lines of a table as text. Each cell runs by itself, so that two of them do not change places. */
export function isolateCells(body: string): string {
  if (!RIGHT_TO_LEFT.test(body)) return escapeHtml(body);
  return body.replace(CELL, (cell) => isolateProse(escapeHtml(cell)));
}
