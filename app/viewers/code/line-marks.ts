import type { LineRange } from "#domain/text/line-range.ts";

// File contents are escaped, so only the highlighter makes this tag.
const LINE = /<span class="line" id="L(\d+)">/g;

export function markLines(html: string, { from, to }: LineRange): string {
  return html.replace(LINE, (tag, number) => {
    const isMarked = Number(number) >= from && Number(number) <= to;
    return isMarked ? `<span class="line line-marked" id="L${number}">` : tag;
  });
}
