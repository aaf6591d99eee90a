const LINE_END = /\r\n|\r|\n/g;

/** Browsers send every line end as CRLF; this has plain ones. Joining is faster than replacing where there are very many. */
export const plainLineEnds = (typed: string): string => typed.split("\r\n").join("\n");

const BYTE_ORDER_MARK = "\uFEFF";

/** A text without what some editors put before it: it is kept and sent, but neither shown nor read as a part of the text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** A typed text with the byte-order mark and the line ends of the text it was made from. */
export function matchEncoding(base: string | null, typed: string): string {
  const text = matchLineEnds(base && withoutByteOrderMark(base), withoutByteOrderMark(typed));
  return base?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

/**
 * Browsers send every line end as CRLF, whatever was there: lines that were left alone at the beginning and at the end keep theirs, and
 * those between take the kind that most lines had.
 */
function matchLineEnds(base: string | null, typed: string): string {
  if (!base?.includes("\r")) return plainLineEnds(typed).split("\r").join("\n");
  const lines = typed.split(LINE_END);
  const [before, ends] = [base.split(LINE_END), base.match(LINE_END) ?? []];
  const usual = mostCommon(ends);
  const shorter = Math.min(lines.length, before.length);
  let head = 0;
  while (head < shorter && lines[head] === before[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines.at(-1 - tail) === before.at(-1 - tail)) tail += 1;
  const getEnd = (i: number) => {
    if (i < head) return ends[i] ?? usual;
    const fromEnd = lines.length - 1 - i;
    return (fromEnd <= tail ? ends.at(-fromEnd) : undefined) ?? usual;
  };
  return lines.map((line, i) => (i === lines.length - 1 ? line : line + getEnd(i))).join("");
}

function mostCommon(ends: readonly string[]): string {
  const windows = ends.filter((end) => end === "\r\n").length;
  return windows > ends.length / 2 ? "\r\n" : "\n";
}
