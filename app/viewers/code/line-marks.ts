import { escapeHtml } from "#domain/text/escape-html.ts";
import type { LineRange } from "#domain/text/line-range.ts";

export type LineNote = { id: string; line: number; last: number; color: string; label: string };

/** The marker of one note covers at most this many lines. */
const MARKED_LINES_MAX = 200;

export const listMarkedLines = (from: number, to: number): number[] =>
  Array.from({ length: Math.min(to - from + 1, MARKED_LINES_MAX) }, (_, i) => from + i);

// Content from a file is escaped, so only the highlighter and `markLines` write this tag.
export const LINE_TAG = /<span class="line[^"]*" id="L(\d+)">/g;

export function markNotes(html: string, notes: readonly LineNote[]): string {
  if (notes.length === 0) return html;
  const findMarker = createMarkerFinder(notes);
  return html.replace(LINE_TAG, (tag, number) => tag + findMarker(Number(number)));
}

/**
 * Writes what follows the opening tag of a line, nothing if the line has no notes. The marker of the first line links to the first note and
 * names all; later lines show only that a note continues.
 */
export function createMarkerFinder(notes: readonly LineNote[]): (line: number) => string {
  const beginning = Map.groupBy(notes, ({ line }) => line);
  const covering = new Map(
    notes.flatMap((note) => listMarkedLines(note.line, note.last).map((line) => [line, note] as const)),
  );
  return (line) => {
    const notesStartingHere = beginning.get(line);
    const coveringNote = covering.get(line);
    if (notesStartingHere) return toMarkerHtml(notesStartingHere);
    return coveringNote
      ? `<span class="line-note middle line-note-on" data-color="${toMarkColor(coveringNote)}"></span>`
      : "";
  };
}

const toMarkColor = ({ color }: LineNote) => (color.startsWith("#") ? "own" : color);

function toMarkerHtml([first, ...others]: readonly LineNote[]): string {
  if (!first) return "";
  const label = escapeHtml([first, ...others].map(({ label }) => label).join("; "));
  return `<a class="line-note middle" href="#note-${first.id}" data-color="${toMarkColor(first)}" aria-label="${label}" title="${label}"></a>`;
}

const UNMARKED_LINE = /<span class="line" id="L(\d+)">/g;

export function markLines(html: string, { from, to }: LineRange): string {
  return html.replace(UNMARKED_LINE, (tag, number) => {
    const isMarked = Number(number) >= from && Number(number) <= to;
    return isMarked ? `<span class="line line-marked" id="L${number}">` : tag;
  });
}
