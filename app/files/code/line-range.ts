import type { LineRange } from "#domain/text/line-range.ts";

// What comes from a file is escaped, so this tag is always one the highlighter made.
const LINE = /<span class="line" id="L(\d+)">/g;

/** The highlighted lines with those of the range marked. */
export function markLines(html: string, { from, to }: LineRange): string {
  return html.replace(LINE, (tag, number) => {
    const marked = Number(number) >= from && Number(number) <= to;
    return marked ? `<span class="line line-marked" id="L${number}">` : tag;
  });
}
