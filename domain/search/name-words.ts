import { folded } from "#domain/search/folded.ts";
import { mapIndexes } from "#domain/search/matching-line.ts";

/** A word of a name as it is written, and where it begins. */
type NameWord = { word: string; start: number };

// A number, capitals up to the one that begins the next word, a word with or without a capital before it.
const WORD =
  /\p{N}+|[\p{Lu}\p{Lt}]\p{M}*(?:[\p{Lu}\p{Lt}]\p{M}*(?![\p{Ll}\p{M}]))*[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|[\p{Ll}\p{Lm}\p{Lo}\p{M}]+/gu;

/** The words that a name is made of: they end at a capital, at a number and at what is neither letter nor digit. */
export function splitWords(name: string): NameWord[] {
  return Array.from(name.matchAll(WORD), (match) => ({ word: match[0], start: match.index }));
}

/** Characters of the longest string that a name is filed under; a longer needle is looked up by its beginning. */
export const NAME_PREFIX_MAX = 3;

/**
 * The folded strings of one to three characters under which an index files a name. They have the beginning of every needle that
 * `matchName` finds as exact, as a prefix or as a word: what stands from a word on, and the beginnings of consecutive words.
 */
export function collectNamePrefixes(name: string): string[] {
  const prefixes = new Set<string>();
  const add = (text: string) => {
    const characters = [...text];
    for (let n = 1; n <= Math.min(NAME_PREFIX_MAX, characters.length); n += 1)
      prefixes.add(characters.slice(0, n).join(""));
  };
  const cut = (text: string) =>
    [...folded(text.slice(0, 4 * NAME_PREFIX_MAX))].slice(0, NAME_PREFIX_MAX).join("");
  add(cut(name));
  add(cut(name.slice(lastComponent(name))));
  const words = splitWords(name);
  const beginnings = words.map(({ word }) => [...cut(word)]);
  for (const [i, { start }] of words.entries()) {
    add(cut(name.slice(start)));
    for (const text of joinBeginnings(beginnings.slice(i, i + NAME_PREFIX_MAX))) add(text);
  }
  return [...prefixes];
}

/** Every string of three characters that takes one or more from each word in turn. */
function joinBeginnings(words: string[][]): string[] {
  let joined: string[][] = [[]];
  const whole: string[][] = [];
  for (const word of words) {
    joined = joined.flatMap((before) =>
      word.slice(0, NAME_PREFIX_MAX - before.length).map((_, n) => [...before, ...word.slice(0, n + 1)]),
    );
    whole.push(...joined);
  }
  return whole.map((characters) => characters.join(""));
}

type NameMatch = { rank: "exact" | "prefix" | "word" | "part"; ranges: [number, number][] };

/**
 * How a name has a needle, in any case, and which parts of the name to mark. A path counts by its last component where the whole
 * name is meant. A word matches from its beginning on, or by the beginnings of consecutive words, as `uls` in `useLocalStorage`.
 */
export function matchName(name: string, needle: string): NameMatch | null {
  const [text, foldedNeedle] = [folded(name), folded(needle)];
  if (foldedNeedle === "" || !hasInOrder(text, foldedNeedle)) return null;
  const base = folded(name.slice(0, lastComponent(name))).length;
  const found = matchFolded({ name, text, foldedNeedle, base });
  if (found === null) return null;
  const toOriginal = mapIndexes(name);
  const ranges = joinRanges(found.ranges).map(
    ([from, to]): Span => [toOriginal(from), toOriginal(to - 1) + 1],
  );
  return { rank: found.rank, ranges };
}

/** Whether a text has these characters one after another, with or without others between: every match does. */
function hasInOrder(text: string, foldedNeedle: string): boolean {
  let found = 0;
  for (let at = 0; at < text.length && found < foldedNeedle.length; at += 1)
    if (text[at] === foldedNeedle[found]) found += 1;
  return found === foldedNeedle.length;
}

type Span = [from: number, to: number];
/** A name and its fold; `base` is where the last component begins in the fold. */
type FoldedName = { name: string; text: string; foldedNeedle: string; base: number };

function matchFolded(given: FoldedName): NameMatch | null {
  const { text, foldedNeedle, base } = given;
  const at = (rank: NameMatch["rank"], from: number): NameMatch => ({
    rank,
    ranges: [[from, from + foldedNeedle.length]],
  });
  if (text === foldedNeedle) return at("exact", 0);
  const last = text.slice(base);
  const dot = last.lastIndexOf(".");
  if (last === foldedNeedle || (dot > 0 && last.slice(0, dot) === foldedNeedle)) return at("exact", base);
  if (last.startsWith(foldedNeedle)) return at("prefix", base);
  const word = matchWords(given);
  if (word !== null) return { rank: "word", ranges: word };
  const inLast = text.indexOf(foldedNeedle, base);
  const anywhere = inLast >= 0 ? inLast : text.indexOf(foldedNeedle);
  return anywhere >= 0 ? at("part", anywhere) : null;
}

type FoldedWord = { text: string; start: number };

/** Words of the last component come before those of the folders. */
function matchWords({ name, text, foldedNeedle, base }: FoldedName): Span[] | null {
  const words: FoldedWord[] = [];
  let [read, start] = [0, 0];
  for (const word of splitWords(name)) {
    start += folded(name.slice(read, word.start)).length;
    read = word.start;
    words.push({ text: folded(word.word), start });
  }
  const inBase = words.filter((word) => word.start >= base);
  for (const list of [inBase, words]) {
    const whole = list.find((word) => text.startsWith(foldedNeedle, word.start));
    if (whole) return [[whole.start, whole.start + foldedNeedle.length]];
  }
  return matchBeginnings(inBase, foldedNeedle) ?? matchBeginnings(words, foldedNeedle);
}

/** Where consecutive words begin with the parts that make up what is wanted. What was tried in vain is not tried again. */
function matchBeginnings(words: readonly FoldedWord[], foldedNeedle: string): Span[] | null {
  const failed = new Uint8Array(words.length * foldedNeedle.length);
  const match = (i: number, from: number): Span[] | null => {
    if (from === foldedNeedle.length) return [];
    const word = words[i];
    if (!word || failed[i * foldedNeedle.length + from]) return null;
    for (let length = countCommon(word.text, foldedNeedle, from); length > 0; length -= 1) {
      const rest = match(i + 1, from + length);
      if (rest) return [[word.start, word.start + length], ...rest];
    }
    failed[i * foldedNeedle.length + from] = 1;
    return null;
  };
  for (const i of words.keys()) {
    const ranges = match(i, 0);
    if (ranges) return ranges;
  }
  return null;
}

function countCommon(word: string, foldedNeedle: string, from: number): number {
  let count = 0;
  while (count < word.length && word[count] === foldedNeedle[from + count]) count += 1;
  return count;
}

function joinRanges(ranges: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const [from, to] of ranges) {
    const before = joined.at(-1);
    if (before && before[1] === from) before[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}

const lastComponent = (name: string) => name.lastIndexOf("/") + 1;
