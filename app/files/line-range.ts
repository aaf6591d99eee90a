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

const NUMBERED = /<span class="line" id="L\d+"><a class="line-number" href="#L\d+">(\d+)<\/a>/g;

/** The highlighted lines with the numbers they have in a longer text, of which they are a part that begins at `first`. */
export function numberFrom(html: string, first: number): string {
  return html.replace(NUMBERED, (_, number) => {
    const n = Number(number) + first - 1;
    return `<span class="line" id="L${n}"><a class="line-number" href="#L${n}">${n}</a>`;
  });
}
