import { escapeHtml } from "#domain/text/escape-html.ts";

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Makes a line of prose take the direction of its first word while its number stays. A line without such letters needs no mark. */
export const isolateProse = (html: string): string =>
  RIGHT_TO_LEFT.test(html) ? `<bdi>${html}</bdi>` : html;

/** A quoted cell, another cell, or a separator. */
const CELL = /"[^"\r\n]*"|[^",;\t\r\n]+|[",;\t\r\n]/g;

/** The positions of cells with right-to-left letters in a table's lines. */
export const findRightToLeftCells = (lines: string): { from: number; to: number }[] =>
  [...lines.matchAll(CELL)]
    .filter(([cell]) => RIGHT_TO_LEFT.test(cell))
    .map(({ 0: cell, index }) => ({ from: index, to: index + cell.length }));

/** Escapes a table's lines and isolates each cell, so that neighbours do not change places. */
export function isolateCells(body: string): string {
  if (!RIGHT_TO_LEFT.test(body)) return escapeHtml(body);
  return body.replace(CELL, (cell) => isolateProse(escapeHtml(cell)));
}
