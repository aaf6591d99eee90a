import { createHash } from "node:crypto";
import { LINE_TAG, markLines } from "#app/viewers/code/line-marks.ts";
import { hasBidiControls, showBidiControls } from "#app/web/ui/bidi-controls.ts";
import type { LineRange } from "#domain/text/line-range.ts";

/** HTML of code from this length on stays out of the loader's data and the page, and goes to the socket as bytes. */
const LARGE_CHARACTERS = 16 * 1024;

/** Code as a page gets it. Large code has a digest of its bytes, and is cut after the opening tags of some lines. */
export type PageCode = { html: string; large: LargeCode | null };
export type LargeCode = { digest: string; cuts: number[]; isReordered: boolean };
/** The code with its bytes in pieces; none if it is not large. */
export type PackedCode = PageCode & { pieces: Uint8Array<ArrayBuffer>[] };

/** The marks of one page: the lines that its address names, and the lines with notes. */
export type CodeMarks = { range: LineRange | null; noteLines: readonly number[] };

export const hasMarks = ({ range, noteLines }: CodeMarks): boolean => range !== null || noteLines.length > 0;

export function packCode(html: string): PackedCode {
  if (html.length < LARGE_CHARACTERS) return { html, large: null, pieces: [] };
  const isReordered = hasBidiControls(html);
  const piece = encode(isReordered ? showBidiControls(html) : html);
  return { html: "", large: { digest: digestBytes([piece]), cuts: [], isReordered }, pieces: [piece] };
}

/** Adds a page's marks to large code, on a thread, because the time grows with the code. */
type CodeToMark = { pieces: Uint8Array<ArrayBuffer>[]; isReordered: boolean; marks: CodeMarks };

export function markCode({ pieces, isReordered, marks }: CodeToMark): PackedCode {
  const html = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
  const marked = marks.range ? markLines(html, marks.range) : html;
  const { texts, cuts } = cutBehindLines(marked, new Set(marks.noteLines));
  const cutPieces = texts.map(encode);
  return { html: "", large: { digest: digestBytes(cutPieces), cuts, isReordered }, pieces: cutPieces };
}

function cutBehindLines(html: string, lines: ReadonlySet<number>): { texts: string[]; cuts: number[] } {
  const texts: string[] = [];
  const cuts: number[] = [];
  let from = 0;
  if (lines.size > 0)
    for (const tag of html.matchAll(LINE_TAG)) {
      const line = Number(tag[1]);
      if (!lines.has(line)) continue;
      const to = tag.index + tag[0].length;
      texts.push(html.slice(from, to));
      cuts.push(line);
      from = to;
    }
  return { texts: [...texts, html.slice(from)], cuts };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function digestBytes(pieces: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(`${piece.length}:`).update(piece);
  return hash.digest("base64url");
}
