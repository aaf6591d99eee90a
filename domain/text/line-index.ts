import { itemAt, required } from "#domain/required.ts";
import { listUncommonWords } from "#domain/text/common-words.ts";

/**
 * A text's lines as numbers: equal lines have equal numbers. The index is built once per text and used for all notes on it, so
 * that comparing lines is comparing numbers, and the occurrences of a line need no search.
 */
export type LineIndex = {
  lines: readonly string[];
  numbersByLine: ReadonlyMap<string, number>;
  numbers: Int32Array;
  /** The occurrences of number `n` are `places` from `starts[n]` to `starts[n + 1]`. */
  starts: Int32Array;
  places: Int32Array;
  /** Results computed per number; -1 if not yet computed. */
  letters: Int8Array;
  own: Int8Array;
  written: Int8Array;
};

const INDEXES = new WeakMap<readonly string[], LineIndex>();

export function indexLines(lines: readonly string[]): LineIndex {
  const index = INDEXES.get(lines) ?? buildIndex(lines);
  INDEXES.set(lines, index);
  return index;
}

function buildIndex(lines: readonly string[]): LineIndex {
  const numbersByLine = new Map<string, number>();
  const numbers = Int32Array.from(lines, (line) => {
    const existingNumber = numbersByLine.get(line);
    if (existingNumber !== undefined) return existingNumber;
    numbersByLine.set(line, numbersByLine.size);
    return numbersByLine.size - 1;
  });
  const starts = new Int32Array(numbersByLine.size + 1);
  for (const number of numbers) starts[number + 1] = numberAt(starts, number + 1) + 1;
  for (let n = 0; n < numbersByLine.size; n += 1)
    starts[n + 1] = numberAt(starts, n + 1) + numberAt(starts, n);
  const places = new Int32Array(numbers.length);
  const nextPlaces = starts.slice();
  for (const [line, number] of numbers.entries()) {
    const place = numberAt(nextPlaces, number);
    places[place] = line;
    nextPlaces[number] = place + 1;
  }
  const createUnknown = () => new Int8Array(numbersByLine.size).fill(-1);
  return {
    lines,
    numbersByLine,
    numbers,
    starts,
    places,
    letters: createUnknown(),
    own: createUnknown(),
    written: createUnknown(),
  };
}

export const numberAtLine = ({ numbers }: LineIndex, line: number) => numberAt(numbers, line);

/** Returns the numbers of other lines in this text; -1 for lines that it does not have. */
export function toLineNumbers(index: LineIndex, lines: readonly string[]): Int32Array {
  return Int32Array.from(lines, (line) => index.numbersByLine.get(line) ?? -1);
}

export type Occurrences = { starts: number[]; tooMany: boolean };

/** Lines that occur more often, or take longer to compare, do not identify a position. */
const OCCURRENCES_MAX = 1_000;
const COMPARED_MAX = 1_000_000;

/** Finds the positions where these lines follow one another. */
export function findOccurrences(index: LineIndex, quote: Int32Array): Occurrences {
  const starts: number[] = [];
  if (quote.length === 0 || quote.includes(-1)) return { starts, tooMany: false };
  const count = (number: number) => numberAt(index.starts, number + 1) - numberAt(index.starts, number);
  let rarest = 0;
  for (const [i, number] of quote.entries()) if (count(number) < count(numberAt(quote, rarest))) rarest = i;
  const from = numberAt(index.starts, numberAt(quote, rarest));
  let comparisonsLeft = COMPARED_MAX;
  for (const place of index.places.subarray(from, from + count(numberAt(quote, rarest)))) {
    const start = place - rarest;
    if (start < 0 || start + quote.length > index.numbers.length) continue;
    let equalCount = 0;
    while (equalCount < quote.length && index.numbers[start + equalCount] === quote[equalCount])
      equalCount += 1;
    if (equalCount === quote.length) starts.push(start);
    comparisonsLeft -= equalCount + 1;
    if (starts.length > OCCURRENCES_MAX || comparisonsLeft < 0) return { starts, tooMany: true };
  }
  return { starts, tooMany: false };
}

/** Counting stops here. */
const LETTERS_COUNTED = 12;
const LETTERS = /[\p{L}\p{N}]/gu;

/** Counts the letters and digits of a line, up to a dozen. */
function countLetters(index: LineIndex, number: number): number {
  const cached = index.letters[number] ?? -1;
  if (cached >= 0) return cached;
  const line = getLine(index, number);
  LETTERS.lastIndex = 0;
  let count = 0;
  while (count < LETTERS_COUNTED && LETTERS.exec(line)) count += 1;
  index.letters[number] = count;
  return count;
}

export const countLettersAt = (index: LineIndex, line: number) =>
  countLetters(index, numberAtLine(index, line));

/** Counts the letters and digits of a line in words that are not common, up to a dozen: none in `return true;` or `} catch (error) {`. */
export function countUncommonLetters(index: LineIndex, number: number): number {
  const cached = index.own[number] ?? -1;
  if (cached >= 0) return cached;
  const words = listUncommonWords(getLine(index, number));
  const count = Math.min(LETTERS_COUNTED, words.join("").length);
  index.own[number] = count;
  return count;
}

/** True if a line is not blank. */
export function isNotBlank(index: LineIndex, number: number): boolean {
  if (index.written[number] === -1) index.written[number] = /\S/.test(getLine(index, number)) ? 1 : 0;
  return index.written[number] === 1;
}

const getLine = ({ lines, places, starts }: LineIndex, number: number) =>
  itemAt(lines, numberAt(places, numberAt(starts, number)));

const numberAt = (numbers: Int32Array, index: number) => required(numbers[index], "such number");
