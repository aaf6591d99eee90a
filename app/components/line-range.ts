/** A range of lines as an address names it: `4`, `4-8`, `L4-L8`. Ends may stand in either order. */
export type LineRange = { from: number; to: number };

const WRITTEN = /^L?(\d{1,7})(?:-L?(\d{1,7}))?$/;

export function parseLineRange(text: string | null): LineRange | null {
  const written = WRITTEN.exec(text ?? "");
  if (!written) return null;
  const [one, other] = [Number(written[1]), Number(written[2] ?? written[1])];
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

// What comes from a file is escaped, so this tag is always one the highlighter made.
const LINE = /<span class="line" id="L(\d+)">/g;

/** The highlighted lines with those of the range marked. */
export function markLines(html: string, { from, to }: LineRange): string {
  return html.replace(LINE, (tag, number) => {
    const marked = Number(number) >= from && Number(number) <= to;
    return marked ? `<span class="line line-marked" id="L${number}">` : tag;
  });
}
