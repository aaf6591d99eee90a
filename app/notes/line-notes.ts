/** A note at a line of code, as the gutter shows it. */
export type LineNote = { id: string; line: number; color: string; label: string };

// What comes from a file is escaped, so this tag is always one the highlighter made or `markLines` marked.
export const LINE_TAG = /<span class="line[^"]*" id="L(\d+)">/g;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

/** The highlighted lines with a marker on each that has notes; it leads to the first of them and names all. */
export function markNotes(html: string, notes: readonly LineNote[]): string {
  if (notes.length === 0) return html;
  const byLine = Map.groupBy(notes, ({ line }) => line);
  return html.replace(LINE_TAG, (tag, number) => tag + markerFor(byLine.get(Number(number)) ?? []));
}

/** What stands behind the opening tag of a line with these notes; nothing where there are none. */
export function markerFor([first, ...more]: readonly LineNote[]): string {
  if (!first) return "";
  const label = escaped([first, ...more].map(({ label }) => label).join("; "));
  const color = first.color.startsWith("#") ? "own" : first.color;
  return `<a class="line-note" href="#note-${first.id}" data-color="${color}" aria-label="${label}" title="${label}"></a>`;
}
