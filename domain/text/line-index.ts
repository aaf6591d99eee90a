import { itemAt, required } from "#domain/required.ts";
import { listOwnWords } from "#domain/text/common-words.ts";

/**
 * A text's lines by number: the same line has the same number. It is made once for a text and used for each note on it, so that
 * comparing lines is comparing numbers, and where a line stands is known without a search.
 */
export type LineIndex = {
  lines: readonly string[];
  numbersByLine: ReadonlyMap<string, number>;
  numbers: Int32Array;
  /** The places of line number `n` are `places` from `starts[n]` to `starts[n + 1]`. */
  starts: Int32Array;
  places: Int32Array;
  /** What was computed for each number; -1 where it was not yet. */
  letters: Int8Array;
  own: Int8Array;
  written: Int8Array;
};

const INDEXES = new WeakMap<readonly string[], LineIndex>();

export function indexLines(lines: readonly string[]): LineIndex {
  const known = INDEXES.get(lines) ?? buildIndex(lines);
  INDEXES.set(lines, known);
  return known;
}

function buildIndex(lines: readonly string[]): LineIndex {
  const numbersByLine = new Map<string, number>();
  const numbers = Int32Array.from(lines, (line) => {
    const known = numbersByLine.get(line);
    if (known !== undefined) return known;
    numbersByLine.set(line, numbersByLine.size);
    return numbersByLine.size - 1;
  });
  const starts = new Int32Array(numbersByLine.size + 1);
  for (const number of numbers) starts[number + 1] = numberAt(starts, number + 1) + 1;
  for (let n = 0; n < numbersByLine.size; n += 1)
    starts[n + 1] = numberAt(starts, n + 1) + numberAt(starts, n);
  const places = new Int32Array(numbers.length);
  const filled = starts.slice();
  for (const [at, number] of numbers.entries()) {
    const place = numberAt(filled, number);
    places[place] = at;
    filled[number] = place + 1;
  }
  const unknown = () => new Int8Array(numbersByLine.size).fill(-1);
  return {
    lines,
    numbersByLine,
    numbers,
    starts,
    places,
    letters: unknown(),
    own: unknown(),
    written: unknown(),
  };
}

/** The number of the line at a place, which is counted from zero. */
export const numberAtLine = ({ numbers }: LineIndex, line: number) => numberAt(numbers, line);

/** The numbers that other lines have in this text; -1 for lines that it does not have. */
export function numbersIn(index: LineIndex, lines: readonly string[]): Int32Array {
  return Int32Array.from(lines, (line) => index.numbersByLine.get(line) ?? -1);
}

export type Occurrences = { at: number[]; tooMany: boolean };

/** Lines that occur more often, or take longer to compare, do not identify a place. */
const OCCURRENCES_MAX = 1_000;
const COMPARED_MAX = 1_000_000;

/** Where these lines stand one after another. */
export function findOccurrences(index: LineIndex, quote: Int32Array): Occurrences {
  const at: number[] = [];
  if (quote.length === 0 || quote.includes(-1)) return { at, tooMany: false };
  const count = (number: number) => numberAt(index.starts, number + 1) - numberAt(index.starts, number);
  let rarest = 0;
  for (const [i, number] of quote.entries()) if (count(number) < count(numberAt(quote, rarest))) rarest = i;
  const from = numberAt(index.starts, numberAt(quote, rarest));
  let left = COMPARED_MAX;
  for (const place of index.places.subarray(from, from + count(numberAt(quote, rarest)))) {
    const start = place - rarest;
    if (start < 0 || start + quote.length > index.numbers.length) continue;
    let same = 0;
    while (same < quote.length && index.numbers[start + same] === quote[same]) same += 1;
    if (same === quote.length) at.push(start);
    left -= same + 1;
    if (at.length > OCCURRENCES_MAX || left < 0) return { at, tooMany: true };
  }
  return { at, tooMany: false };
}

/** More letters than these make no difference. */
const LETTERS_COUNTED = 12;
const LETTERS = /[\p{L}\p{N}]/gu;

/** How many letters and digits a line has, up to a dozen. */
function countLetters(index: LineIndex, number: number): number {
  const known = index.letters[number] ?? -1;
  if (known >= 0) return known;
  const line = lineNumbered(index, number);
  LETTERS.lastIndex = 0;
  let count = 0;
  while (count < LETTERS_COUNTED && LETTERS.exec(line)) count += 1;
  index.letters[number] = count;
  return count;
}

export const countLettersAt = (index: LineIndex, line: number) =>
  countLetters(index, numberAtLine(index, line));

/** How many letters and digits a line has in words of its own, up to a dozen: none in `return true;` or `} catch (error) {`. */
export function countOwnLetters(index: LineIndex, number: number): number {
  const known = index.own[number] ?? -1;
  if (known >= 0) return known;
  const words = listOwnWords(lineNumbered(index, number));
  const count = Math.min(LETTERS_COUNTED, words.join("").length);
  index.own[number] = count;
  return count;
}

/** Whether a line is more than blanks. */
export function isWritten(index: LineIndex, number: number): boolean {
  if (index.written[number] === -1) index.written[number] = /\S/.test(lineNumbered(index, number)) ? 1 : 0;
  return index.written[number] === 1;
}

const lineNumbered = ({ lines, places, starts }: LineIndex, number: number) =>
  itemAt(lines, numberAt(places, numberAt(starts, number)));

const numberAt = (numbers: Int32Array, index: number) => required(numbers[index], "such number");
