import { countTellingLetters, isWritten, type LineIndex, TELLING } from "#domain/text/line-index.ts";

/**
 * What speaks for a line that says little, as `}` or `return true;`, being the same line in another text. The same words prove nothing, because
 * every second function has them. What proves it is the block it is in: the lines next to it there, and the line that opens the block.
 */
export type Texts = {
  was: LineIndex;
  now: LineIndex;
  /** The old text in the numbers of the new one. */
  wasInNow: Int32Array;
};
type Pair = { home: number; to: number; length: number };

/** How far around a text is looked to tell it from another of the same words. */
export const AROUND_MAX = 40;
const OPENING_MAX = 300;
const CLOSES = /^\s*(?:[)\]}]|<\/|(?:end|fi|done|esac)\b)/;
const OPENS = /(?:[([{:>]|\b(?:do|then|begin))\s*$/;

/** How much speaks for it: 0 is nothing. A neighbour that stayed counts more than the line that opens the block. */
export function weighSupport(texts: Texts, pair: Pair): number {
  const { was } = texts;
  const [first, last] = [lineAt(was, pair.home), lineAt(was, pair.home + pair.length - 1)];
  const [closes, opens] = [CLOSES.test(first), OPENS.test(last) && !last.includes("</")];
  const indent = indentation(first);
  let neighbours = 0;
  if (closes || !opens) neighbours += countBefore(texts, pair, indent, closes);
  if (opens || !closes) neighbours += countAfter(texts, pair, indent, opens);
  const isHeld = hasSameOpening(texts, pair, indent, closes) || isBetweenTheSame(texts, pair);
  return 2 * neighbours + (isHeld ? 1 : 0);
}

/** The written lines right before and after it stayed, whatever they say. */
function isBetweenTheSame(texts: Texts, { home, to, length }: Pair): boolean {
  const [before, after] = [home - 1, home + length];
  const written = (line: number) => line >= 0 && isWritten(texts.now, texts.now.numbers[line] ?? -1);
  return (
    agrees(texts, before, to - 1) &&
    agrees(texts, after, to + length) &&
    written(to - 1) &&
    to + length < texts.now.numbers.length &&
    written(to + length)
  );
}

/** Telling lines above it in its block that stayed, without a break; the line that opens the block is the last of them. */
function countBefore(texts: Texts, { home, to }: Pair, indent: number, closes: boolean): number {
  let count = 0;
  for (let i = 1; i <= AROUND_MAX && agrees(texts, home - i, to - i); i += 1) {
    if (tells(texts.was, home - i)) count += 1;
    if (opensBlock(texts.was, home - i, indent, closes)) break;
  }
  return count;
}

function countAfter(texts: Texts, { home, to, length }: Pair, indent: number, opens: boolean): number {
  let count = 0;
  for (let i = length; i < length + AROUND_MAX && agrees(texts, home + i, to + i); i += 1) {
    if (opensBlock(texts.was, home + i, indent, opens)) break;
    if (tells(texts.was, home + i)) count += 1;
  }
  return count;
}

/** The line that opens the block is the same; where that one says little, the one around it as well, up to one that tells. */
function hasSameOpening({ was, now }: Texts, { home, to }: Pair, indent: number, closes: boolean): boolean {
  let [a, b, within, orLevel] = [home, to, indent, closes];
  for (;;) {
    a = findOpening(was, a, home - OPENING_MAX, within, orLevel);
    b = findOpening(now, b, to - OPENING_MAX, within, orLevel);
    if (a < 0 || b < 0 || lineAt(was, a) !== lineAt(now, b)) return false;
    if (tells(was, a)) return true;
    [within, orLevel] = [indentation(lineAt(was, a)), false];
  }
}

function findOpening(
  index: LineIndex,
  from: number,
  limit: number,
  indent: number,
  orLevel: boolean,
): number {
  for (let line = from - 1; line >= Math.max(0, limit); line -= 1)
    if (opensBlock(index, line, indent, orLevel)) return line;
  return -1;
}

/** Whether a line is less indented than the block's, or as much where that counts too. */
function opensBlock(index: LineIndex, line: number, indent: number, orLevel: boolean): boolean {
  if (!isWritten(index, index.numbers[line] ?? -1)) return false;
  const own = indentation(lineAt(index, line));
  return own < indent || (orLevel && own === indent);
}

const agrees = ({ wasInNow, now }: Texts, a: number, b: number) =>
  a >= 0 && b >= 0 && a < wasInNow.length && b < now.numbers.length && wasInNow[a] === now.numbers[b];

const tells = (index: LineIndex, line: number) =>
  countTellingLetters(index, index.numbers[line] ?? -1) >= TELLING;

const lineAt = (index: LineIndex, line: number) => index.lines[line] ?? "";

const indentation = (line: string) => line.length - line.trimStart().length;

/** How many lines on either side of two places agree without a break, of those that have so many letters; at 0, of those that are not blank. */
export function countAgreeingLines(
  a: Int32Array,
  from: number,
  b: LineIndex,
  to: number,
  length: number,
  letters = 0,
): number {
  const { numbers } = b;
  const proves = (line: number) =>
    letters === 0
      ? isWritten(b, b.numbers[line] ?? -1)
      : countTellingLetters(b, b.numbers[line] ?? -1) >= letters;
  let proof = 0;
  for (let i = 1; i <= AROUND_MAX && from - i >= 0 && to - i >= 0 && a[from - i] === numbers[to - i]; i += 1)
    if (proves(to - i)) proof += 1;
  const [end, toEnd] = [from + length, to + length];
  for (let i = 0; i < AROUND_MAX && end + i < a.length && toEnd + i < numbers.length; i += 1) {
    if (a[end + i] !== numbers[toEnd + i]) break;
    if (proves(toEnd + i)) proof += 1;
  }
  return proof;
}
