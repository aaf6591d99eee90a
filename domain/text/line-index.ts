import { itemAt, required } from "#domain/required.ts";

/**
 * A text's lines by number: the same line has the same number. It is made once for a text and asked for each note on it, so that
 * comparing lines is comparing numbers, and where a line stands need not be looked for.
 */
export type LineIndex = {
  lines: readonly string[];
  numbersByLine: ReadonlyMap<string, number>;
  numbers: Int32Array;
  /** The places of line number `n` are `places` from `starts[n]` to `starts[n + 1]`. */
  starts: Int32Array;
  places: Int32Array;
  /** What was found out about each number; -1 where it was not asked yet. */
  letters: Int8Array;
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
  return { lines, numbersByLine, numbers, starts, places, letters: unknown(), written: unknown() };
}

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
/** Telling letters below which a line could as well be another of the same look: `}`, `end`, `return true;`. */
export const TELLING = 4;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Words that every second function of some language has; compared in lower case. */
const COMMON_WORDS = new Set(
  `abstract and as assert async await begin bool boolean break case catch char class const continue def default defer del delete do done
  double e elif else elsif end enum err error esac ex except exception export extends false fi final finally float fn for from func function
  goto i if impl implements import in instanceof int interface is j k lambda len let long mut n namespace new next nil none not null obj
  object of ok operator or override package pass private protected pub public raise ref rescue res result ret return returns self set some
  static str string struct super switch then this throw throws true try type typeof undefined union unless until using v val value var void
  when where while with x y yield br div li p span td tr ul`.split(/\s+/),
);

/** How many letters and digits a line has outside of common words, up to a dozen: how much it says. */
export function countTellingLetters(index: LineIndex, number: number): number {
  const known = index.letters[number] ?? -1;
  if (known >= 0) return known;
  let count = 0;
  for (const [word] of lineNumbered(index, number).matchAll(WORDS)) {
    if (count >= LETTERS_COUNTED) break;
    if (!COMMON_WORDS.has(word.toLowerCase())) count += [...word.slice(0, LETTERS_COUNTED)].length;
  }
  index.letters[number] = Math.min(count, LETTERS_COUNTED);
  return index.letters[number] ?? 0;
}

/** Whether a line is more than blanks. */
export function isWritten(index: LineIndex, number: number): boolean {
  if (index.written[number] === -1) index.written[number] = /\S/.test(lineNumbered(index, number)) ? 1 : 0;
  return index.written[number] === 1;
}

const lineNumbered = ({ lines, places, starts }: LineIndex, number: number) =>
  itemAt(lines, numberAt(places, numberAt(starts, number)));

const numberAt = (numbers: Int32Array, index: number) => required(numbers[index], "such number");
