const LINE_END = /\r\n|\r|\n/g;

/** Replaces the CRLF of browsers by plain line ends. Joining is faster than replacing for very many lines. */
export const plainLineEnds = (typed: string): string => typed.split("\r\n").join("\n");

const BYTE_ORDER_MARK = "\uFEFF";

/** Removes the mark that some editors put before a text. It is stored and sent, but not shown or read. */
export function removeByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Gives a typed text the byte-order mark and the line ends of the text that it was made from. */
export function matchEncoding(base: string | null, typed: string): string {
  const text = matchLineEnds(base && removeByteOrderMark(base), removeByteOrderMark(typed));
  return base?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

/**
 * Browsers send every line end as CRLF. Unchanged lines at the beginning and the end get their old line ends back; lines
 * between get the kind that most lines had.
 */
function matchLineEnds(base: string | null, typed: string): string {
  if (!base?.includes("\r")) return plainLineEnds(typed).split("\r").join("\n");
  const lines = typed.split(LINE_END);
  const [baseLines, ends] = [base.split(LINE_END), base.match(LINE_END) ?? []];
  const usualEnd = findMostCommon(ends);
  const shorter = Math.min(lines.length, baseLines.length);
  let head = 0;
  while (head < shorter && lines[head] === baseLines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines.at(-1 - tail) === baseLines.at(-1 - tail)) tail += 1;
  const getEnd = (i: number) => {
    if (i < head) return ends[i] ?? usualEnd;
    const fromEnd = lines.length - 1 - i;
    return (fromEnd <= tail ? ends.at(-fromEnd) : undefined) ?? usualEnd;
  };
  return lines.map((line, i) => (i === lines.length - 1 ? line : line + getEnd(i))).join("");
}

function findMostCommon(ends: readonly string[]): string {
  const crlfCount = ends.filter((end) => end === "\r\n").length;
  return crlfCount > ends.length / 2 ? "\r\n" : "\n";
}
