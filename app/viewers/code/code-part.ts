import { type LineQuery, numberPlainLines } from "#app/viewers/code/code-lines.ts";
import { type PackedCode, packCode } from "#app/viewers/code/large-code.ts";
import type { LanguageName } from "#domain/files/language.ts";
import { cutPart, type ShownLines } from "#domain/text/text-part.ts";

/** The line to show, and the numbering. `first` is the number of the text's first line, if the text is part of a longer one. */
export type CodePlace = { line?: number; first?: number; lineQuery?: LineQuery };
export type ShownCode = PackedCode & { shown: ShownLines };

export function toPlainCode(body: string, language: LanguageName, placement: CodePlace): ShownCode {
  const { text, shown, numbering } = cutNumberedPart(body, placement);
  return { ...packCode(numberPlainLines(text, { ...numbering, language })), shown };
}

/** Cuts the part of a text with the line, and returns its numbering. */
export function cutNumberedPart(body: string, { line = 1, first = 1, lineQuery: query = null }: CodePlace) {
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
