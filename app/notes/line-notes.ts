import { escapeHtml } from "#domain/text/escape-html.ts";

/** A note on lines of code, as the gutter shows it. */
export type LineNote = { id: string; line: number; last: number; color: string; label: string };

/** So many lines of one note are marked. */
const MARKED_LINES_MAX = 200;

/** The lines that are marked for a note on these. */
export const listMarkedLines = (from: number, to: number): number[] =>
  Array.from({ length: Math.min(to - from + 1, MARKED_LINES_MAX) }, (_, i) => from + i);

// What comes from a file is escaped, so this tag is always one the highlighter made or `markLines` marked.
export const LINE_TAG = /<span class="line[^"]*" id="L(\d+)">/g;

/** The highlighted lines with a marker on each that has notes. */
export function markNotes(html: string, notes: readonly LineNote[]): string {
  if (notes.length === 0) return html;
  const findMarker = makeMarkers(notes);
  return html.replace(LINE_TAG, (tag, number) => tag + findMarker(Number(number)));
}

/**
 * What stands behind the opening tag of a line; nothing where it has no notes. Where notes begin it leads to the first of them and names
 * all; on their other lines it only shows that they go on.
 */
export function makeMarkers(notes: readonly LineNote[]): (line: number) => string {
  const beginning = Map.groupBy(notes, ({ line }) => line);
  const covering = new Map(
    notes.flatMap((note) => listMarkedLines(note.line, note.last).map((line) => [line, note] as const)),
  );
  return (line) => {
    const begun = beginning.get(line);
    const over = covering.get(line);
    if (begun) return markerFor(begun);
    return over ? `<span class="line-note line-note-on" data-color="${toMarkColor(over)}"></span>` : "";
  };
}

const toMarkColor = ({ color }: LineNote) => (color.startsWith("#") ? "own" : color);

function markerFor([first, ...more]: readonly LineNote[]): string {
  if (!first) return "";
  const label = escapeHtml([first, ...more].map(({ label }) => label).join("; "));
  return `<a class="line-note" href="#note-${first.id}" data-color="${toMarkColor(first)}" aria-label="${label}" title="${label}"></a>`;
}
