import { NUMBERED_LINES_MAX } from "#app/viewers/code-lines.ts";
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

/** The highlighted lines with a place for one behind the last that has a number of its own. */
export function placeUnnumberedLine(html: string, line: number): string {
  const last = html.indexOf(`id="L${NUMBERED_LINES_MAX}">`);
  if (last < 0 || line <= NUMBERED_LINES_MAX) return html;
  let end = last;
  for (let n = NUMBERED_LINES_MAX; n < line; n += 1) {
    end = html.indexOf("\n", end + 1);
    if (end < 0) return html;
  }
  // A colour may run over the ends of these lines, so the place is an element of its own before the line.
  const place = `<span class="line-place" id="L${line}"><a class="line-number" href="#L${line}">${line}</a></span>`;
  return html.slice(0, end + 1) + place + html.slice(end + 1);
}

const NUMBERED = /<span class="line" id="L\d+"><a class="line-number" href="#L\d+">(\d+)<\/a>/g;

/** The highlighted lines with the numbers they have in a longer text, of which they are a part that begins at `first`. */
export function numberFrom(html: string, first: number): string {
  return html.replace(NUMBERED, (_, number) => {
    const n = Number(number) + first - 1;
    return `<span class="line" id="L${n}"><a class="line-number" href="#L${n}">${n}</a>`;
  });
}
