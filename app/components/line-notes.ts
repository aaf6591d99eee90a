/** A note at a line of code, as the gutter shows it. */
export type LineNote = { id: string; line: number; color: string; label: string };

// What comes from a file is escaped, so this tag is always one the highlighter made or `markLines` marked.
const LINE = /<span class="line[^"]*" id="L(\d+)">/g;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);

/** The highlighted lines with a marker on each that has notes; it leads to the first of them and names all. */
export function markNotes(html: string, notes: readonly LineNote[]): string {
  if (notes.length === 0) return html;
  const byLine = Map.groupBy(notes, ({ line }) => line);
  return html.replace(LINE, (tag, number) => {
    const [first, ...more] = byLine.get(Number(number)) ?? [];
    if (!first) return tag;
    const label = escaped([first, ...more].map(({ label }) => label).join("; "));
    const color = first.color.startsWith("#") ? "own" : first.color;
    return `${tag}<a class="line-note" href="#note-${first.id}" data-color="${color}" aria-label="${label}" title="${label}"></a>`;
  });
}
