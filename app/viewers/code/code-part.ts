import { type LineQuery, numberPlainLines } from "#app/viewers/code/code-lines.ts";
import { type PackedCode, packCode } from "#app/viewers/code/large-code.ts";
import type { LanguageName } from "#domain/files/language.ts";
import { cutPart, type ShownLines } from "#domain/text/text-part.ts";

/** Which line is asked for, and how lines are numbered. Where the text is a piece of another one, its first line is that one's line `first`. */
export type CodePlace = { line?: number; first?: number; lineQuery?: LineQuery };
export type ShownCode = PackedCode & { shown: ShownLines };

/** The part that has the line, without colours. */
export function showPlain(body: string, language: LanguageName, place: CodePlace): ShownCode {
  const { text, shown, numbering } = choosePart(body, place);
  return { ...packCode(numberPlainLines(text, { ...numbering, language })), shown };
}

/** The part of a text that has a line, and how its lines are numbered. */
export function choosePart(body: string, { line = 1, first = 1, lineQuery: query = null }: CodePlace) {
  const before = first - 1;
  const { text, ...part } = cutPart(body, line - before);
  const shown = {
    ...part,
    first: part.first + before,
    last: part.last + before,
    start: first,
    total: part.total + before,
  };
  return { text, shown, numbering: { first: shown.first, query } };
}
