import { type Anchor, type LineSpan, splitLines } from "#domain/notes/note-anchor.ts";
import { itemAt } from "#domain/required.ts";
import { listOwnWords } from "#domain/text/common-words.ts";
import { countCommon } from "#domain/text/likeness.ts";

/**
 * Lines of a text that resemble those of a note that is lost, the most similar first. They are offered and never taken: a person
 * chooses one, or none. Lines resemble each other where they share more than half of their words, without those that all code is full of; of
 * lines that are equally similar, those with more similar neighbours come first, then the nearer ones.
 */
export type SuggestedLines = LineSpan & {
  /** The first of the lines, without its indent. */
  text: string;
};

export type LostAnchor = Pick<Anchor, "quote" | "before" | "after"> & { place: LineSpan };

const SUGGESTED_MAX = 3;
const LIKENESS_ABOVE = 0.5;
/** Letters of words of their own below which lines could be anywhere: `}`, `return x`. */
const LETTERS_MIN = 4;
/** What bounds the work for one note: how many of its lines are compared, by how many words, and with how many places. */
const LINES_MAX = 20;
const WORDS_MAX = 40;
const PLACES_MAX = 50;
/** A word that stands in more lines does not tell where to look. */
const WORD_LINES_MAX = 200;
const TEXT_MAX = 160;

/** For each note that is lost, at most three places. Long texts take long: this is work for a thread. */
export function suggestLines({
  text,
  anchors,
}: {
  text: string;
  anchors: readonly LostAnchor[];
}): SuggestedLines[][] {
  const lines = splitLines(text);
  const notes = anchors.map(toLostLines);
  const linesByWord = indexWords(lines, new Set(notes.flatMap(({ telling }) => telling.flatMap(listWords))));
  return notes.map((note) => chooseBest(rankPlaces(note, lines, linesByWord)).map(toSuggestion(lines)));
}

/** A line that a note remembers: how far it is from the note's first line, and its own words. */
type RememberedLine = { offset: number; words: string[] };
type LostLines = {
  home: number;
  quote: readonly string[];
  /** What a place is looked for by: the note's lines, or their neighbours where those say too little. */
  telling: RememberedLine[];
  neighbours: RememberedLine[];
  isByNeighbours: boolean;
};

const listWords = ({ words }: RememberedLine) => words;

function toLostLines({ quote, before, after, place }: LostAnchor): LostLines {
  const own = rememberLines(quote, 0);
  const neighbours = [...rememberLines(before, -before.length), ...rememberLines(after, quote.length)];
  const isByNeighbours = countLetters(own) < LETTERS_MIN;
  const telling = isByNeighbours ? neighbours : own;
  return {
    home: place.line_start - 1,
    quote,
    telling: quote.length > 0 && countLetters(telling) >= LETTERS_MIN ? telling : [],
    neighbours,
    isByNeighbours,
  };
}

function rememberLines(lines: readonly string[], first: number): RememberedLine[] {
  return lines
    .map((line, i) => ({ offset: first + i, words: listOwnWords(line).slice(0, WORDS_MAX) }))
    .filter(({ words }) => words.length > 0)
    .slice(0, LINES_MAX);
}

const countLetters = (lines: readonly RememberedLine[]) => lines.flatMap(listWords).join("").length;

/** The lines that have each of these words, counted from zero; one more than counts where there are too many. */
function indexWords(lines: readonly string[], wanted: ReadonlySet<string>): Map<string, number[]> {
  const linesByWord = new Map<string, number[]>([...wanted].map((word) => [word, []]));
  if (wanted.size === 0) return linesByWord;
  for (const [i, line] of lines.entries())
    for (const word of new Set(listOwnWords(line))) {
      const found = linesByWord.get(word);
      if (found && found.length <= WORD_LINES_MAX) found.push(i);
    }
  return linesByWord;
}

/** A place that a note could be at, and why. Lines are counted from zero. */
type RankedPlace = { start: number; length: number; likeness: number; nearby: number; distance: number };

function rankPlaces(
  note: LostLines,
  lines: readonly string[],
  linesByWord: ReadonlyMap<string, number[]>,
): RankedPlace[] {
  const { home, quote, telling, neighbours, isByNeighbours } = note;
  const ranked = listPlaces(note, lines.length, linesByWord).map((start) => ({
    start,
    length: quote.length,
    likeness: compareAt(lines, start, telling),
    nearby: compareAt(lines, start, neighbours),
    distance: Math.abs(start - home),
  }));
  return ranked
    .filter(
      ({ start, likeness }) => likeness > LIKENESS_ABOVE && (!isByNeighbours || hasAt(lines, start, quote)),
    )
    .sort((a, b) => b.likeness - a.likeness || b.nearby - a.nearby || a.distance - b.distance);
}

/** The places that share the most words with a note. */
function listPlaces(
  { quote, telling }: LostLines,
  lineCount: number,
  linesByWord: ReadonlyMap<string, number[]>,
): number[] {
  const shared = new Map<number, number>();
  for (const { offset, words } of telling)
    for (const word of new Set(words)) {
      const found = linesByWord.get(word) ?? [];
      if (found.length > WORD_LINES_MAX) continue;
      for (const line of found) shared.set(line - offset, (shared.get(line - offset) ?? 0) + 1);
    }
  return [...shared]
    .filter(([start]) => start >= 0 && start + quote.length <= lineCount)
    .sort(([, a], [, b]) => b - a)
    .slice(0, PLACES_MAX)
    .map(([start]) => start);
}

/** The share of all words of these lines that the lines at a place have, too. So a line of few words weighs little. */
function compareAt(lines: readonly string[], start: number, remembered: readonly RememberedLine[]): number {
  let [common, all] = [0, 0];
  for (const { offset, words } of remembered) {
    const there = listOwnWords(lines[start + offset] ?? "").slice(0, WORDS_MAX);
    common += countCommon(words, there);
    all += words.length + there.length;
  }
  return all === 0 ? 0 : (2 * common) / all;
}

/** Whether the very lines are there, whatever their indent. */
const hasAt = (lines: readonly string[], start: number, quote: readonly string[]) =>
  quote.every((line, i) => lines[start + i]?.trim() === line.trim());

/** The best places, none of which overlap. */
function chooseBest(ranked: readonly RankedPlace[]): RankedPlace[] {
  const chosen: RankedPlace[] = [];
  for (const place of ranked) {
    if (chosen.length === SUGGESTED_MAX) break;
    if (chosen.every(({ start, length }) => Math.abs(start - place.start) >= length)) chosen.push(place);
  }
  return chosen;
}

const toSuggestion =
  (lines: readonly string[]) =>
  ({ start, length }: RankedPlace): SuggestedLines => ({
    line_start: start + 1,
    line_end: start + length,
    text: itemAt(lines, start).trim().slice(0, TEXT_MAX),
  });
