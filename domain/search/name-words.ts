import { createIndexMapper } from "#domain/search/matching-line.ts";
import { foldCase } from "#domain/text/folded.ts";

type NameWord = { word: string; start: number };

// A number, capitals up to the one that begins the next word, a word with or without a capital before it.
const WORD =
  /\p{N}+|[\p{Lu}\p{Lt}]\p{M}*(?:[\p{Lu}\p{Lt}]\p{M}*(?![\p{Ll}\p{M}]))*[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|[\p{Ll}\p{Lm}\p{Lo}\p{M}]+/gu;

/** Splits a name at capitals, numbers and all characters that are neither letters nor digits. */
export function splitWords(name: string): NameWord[] {
  return Array.from(name.matchAll(WORD), (match) => ({ word: match[0], start: match.index }));
}

/** The greatest length of an indexed string; a longer needle is looked up by its beginning. */
export const NAME_PREFIX_MAX = 3;

/**
 * Returns the folded strings of one to three characters under which the index files a name. They include the beginning of every
 * needle that `matchName` finds as exact, prefix or word: the text from each word on, and the beginnings of consecutive words.
 */
export function collectNamePrefixes(name: string): string[] {
  const prefixes = new Set<string>();
  const add = (text: string) => {
    const characters = [...text];
    for (let n = 1; n <= Math.min(NAME_PREFIX_MAX, characters.length); n += 1)
      prefixes.add(characters.slice(0, n).join(""));
  };
  const cut = (text: string) =>
    [...foldCase(text.slice(0, 4 * NAME_PREFIX_MAX))].slice(0, NAME_PREFIX_MAX).join("");
  add(cut(name));
  add(cut(name.slice(findLastComponent(name))));
  const words = splitWords(name);
  const beginnings = words.map(({ word }) => [...cut(word)]);
  for (const [i, { start }] of words.entries()) {
    add(cut(name.slice(start)));
    for (const text of joinBeginnings(beginnings.slice(i, i + NAME_PREFIX_MAX))) add(text);
  }
  return [...prefixes];
}

/** Returns every string of three characters that takes at least one from each word in turn. */
function joinBeginnings(words: string[][]): string[] {
  let partials: string[][] = [[]];
  const complete: string[][] = [];
  for (const word of words) {
    partials = partials.flatMap((partial) =>
      word.slice(0, NAME_PREFIX_MAX - partial.length).map((_, n) => [...partial, ...word.slice(0, n + 1)]),
    );
    complete.push(...partials);
  }
  return complete.map((characters) => characters.join(""));
}

type NameMatch = { rank: "exact" | "prefix" | "word" | "part"; ranges: [number, number][] };

/**
 * Matches a name with a needle in any case and returns the parts to mark. If the whole name is meant, a path counts by its last
 * component. A word matches from its beginning, or by the beginnings of consecutive words, like `uls` in `useLocalStorage`.
 */
export function matchName(name: string, needle: string): NameMatch | null {
  const [text, foldedNeedle] = [foldCase(name), foldCase(needle)];
  if (foldedNeedle === "" || !hasInOrder(text, foldedNeedle)) return null;
  const base = foldCase(name.slice(0, findLastComponent(name))).length;
  const match = matchFolded({ name, text, foldedNeedle, base });
  if (match === null) return null;
  const toOriginal = createIndexMapper(name);
  const ranges = joinRanges(match.ranges).map(
    ([from, to]): Span => [toOriginal(from), toOriginal(to - 1) + 1],
  );
  return { rank: match.rank, ranges };
}

/** True if a text has these characters in this order, possibly with others between; every match requires that. */
function hasInOrder(text: string, foldedNeedle: string): boolean {
  let matched = 0;
  for (let i = 0; i < text.length && matched < foldedNeedle.length; i += 1)
    if (text[i] === foldedNeedle[matched]) matched += 1;
  return matched === foldedNeedle.length;
}

type Span = [from: number, to: number];
/** `base` is where the last component begins in the folded name. */
type FoldedName = { name: string; text: string; foldedNeedle: string; base: number };

function matchFolded(foldedName: FoldedName): NameMatch | null {
  const { text, foldedNeedle, base } = foldedName;
  const toMatch = (rank: NameMatch["rank"], from: number): NameMatch => ({
    rank,
    ranges: [[from, from + foldedNeedle.length]],
  });
  if (text === foldedNeedle) return toMatch("exact", 0);
  const last = text.slice(base);
  const dot = last.lastIndexOf(".");
  if (last === foldedNeedle || (dot > 0 && last.slice(0, dot) === foldedNeedle))
    return toMatch("exact", base);
  if (last.startsWith(foldedNeedle)) return toMatch("prefix", base);
  const word = matchWords(foldedName);
  if (word !== null) return { rank: "word", ranges: word };
  const lastComponentIndex = text.indexOf(foldedNeedle, base);
  const index = lastComponentIndex >= 0 ? lastComponentIndex : text.indexOf(foldedNeedle);
  return index >= 0 ? toMatch("part", index) : null;
}

type FoldedWord = { text: string; start: number };

/** Words of the last component are preferred to words of folders. */
function matchWords({ name, text, foldedNeedle, base }: FoldedName): Span[] | null {
  const words: FoldedWord[] = [];
  let [wordStart, start] = [0, 0];
  for (const word of splitWords(name)) {
    start += foldCase(name.slice(wordStart, word.start)).length;
    wordStart = word.start;
    words.push({ text: foldCase(word.word), start });
  }
  const inBase = words.filter((word) => word.start >= base);
  for (const list of [inBase, words]) {
    const matchingWord = list.find((word) => text.startsWith(foldedNeedle, word.start));
    if (matchingWord) return [[matchingWord.start, matchingWord.start + foldedNeedle.length]];
  }
  return matchBeginnings(inBase, foldedNeedle) ?? matchBeginnings(words, foldedNeedle);
}

/** Finds consecutive words whose beginnings form the needle. Failed positions are not tried again. */
function matchBeginnings(words: readonly FoldedWord[], foldedNeedle: string): Span[] | null {
  const failed = new Uint8Array(words.length * foldedNeedle.length);
  const match = (i: number, from: number): Span[] | null => {
    if (from === foldedNeedle.length) return [];
    const word = words[i];
    if (!word || failed[i * foldedNeedle.length + from]) return null;
    for (let length = countCommon(word.text, foldedNeedle, from); length > 0; length -= 1) {
      const restMatch = match(i + 1, from + length);
      if (restMatch) return [[word.start, word.start + length], ...restMatch];
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
    const last = joined.at(-1);
    if (last && last[1] === from) last[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}

const findLastComponent = (name: string) => name.lastIndexOf("/") + 1;
