import { type Anchor, type LineSpan, splitLines } from "#domain/notes/note-anchor.ts";
import { itemAt } from "#domain/required.ts";
import { listUncommonWords } from "#domain/text/common-words.ts";
import { countCommon } from "#domain/text/likeness.ts";

/**
 * Suggests lines that resemble those of a lost note, the most similar first; a person chooses one, or none. Lines resemble each
 * other if they share more than half of their words, without the words that all code is full of. Equally similar lines are
 * ordered by the similarity of their neighbours, then by distance.
 */
export type SuggestedLines = LineSpan & {
  /** The first line, without its indent. */
  text: string;
};

export type LostAnchor = Pick<Anchor, "quote" | "before" | "after"> & { place: LineSpan };

const SUGGESTED_MAX = 3;
const LIKENESS_ABOVE = 0.5;
/** Lines with fewer letters in distinctive words could be anywhere: `}`, `return x`. */
const LETTERS_MIN = 4;
/** Limits per note: compared lines, words of each line, and candidate positions. */
const LINES_MAX = 20;
const WORDS_MAX = 40;
const PLACES_MAX = 50;
/** Words on more lines than this are not used for the search. */
const WORD_LINES_MAX = 200;
const TEXT_MAX = 160;

/** Returns at most three suggestions for each lost note. Long texts take long, so this is work for a thread. */
export function suggestLines({
  text,
  anchors,
}: {
  text: string;
  anchors: readonly LostAnchor[];
}): SuggestedLines[][] {
  const lines = splitLines(text);
  const notes = anchors.map(toLostLines);
  const linesByWord = indexWords(
    lines,
    new Set(notes.flatMap(({ searchLines }) => searchLines.flatMap(listWords))),
  );
  return notes.map((note) => chooseBest(rankPositions(note, lines, linesByWord)).map(toSuggestion(lines)));
}

/** A line of an anchor, with its distance from the note's first line and its distinctive words. */
type AnchorLine = { offset: number; words: string[] };
type LostLines = {
  home: number;
  quote: readonly string[];
  /** The lines to search by: the note's own, or the neighbours if those say too little. */
  searchLines: AnchorLine[];
  neighbours: AnchorLine[];
  usesNeighbours: boolean;
};

const listWords = ({ words }: AnchorLine) => words;

function toLostLines({ quote, before, after, place }: LostAnchor): LostLines {
  const ownLines = toAnchorLines(quote, 0);
  const neighbours = [...toAnchorLines(before, -before.length), ...toAnchorLines(after, quote.length)];
  const usesNeighbours = countLetters(ownLines) < LETTERS_MIN;
  const searchLines = usesNeighbours ? neighbours : ownLines;
  return {
    home: place.line_start - 1,
    quote,
    searchLines: quote.length > 0 && countLetters(searchLines) >= LETTERS_MIN ? searchLines : [],
    neighbours,
    usesNeighbours,
  };
}

function toAnchorLines(lines: readonly string[], first: number): AnchorLine[] {
  return lines
    .map((line, i) => ({ offset: first + i, words: listUncommonWords(line).slice(0, WORDS_MAX) }))
    .filter(({ words }) => words.length > 0)
    .slice(0, LINES_MAX);
}

const countLetters = (lines: readonly AnchorLine[]) => lines.flatMap(listWords).join("").length;

function indexWords(lines: readonly string[], words: ReadonlySet<string>): Map<string, number[]> {
  const linesByWord = new Map<string, number[]>([...words].map((word) => [word, []]));
  if (words.size === 0) return linesByWord;
  for (const [i, line] of lines.entries())
    for (const word of new Set(listUncommonWords(line))) {
      const indexes = linesByWord.get(word);
      if (indexes && indexes.length <= WORD_LINES_MAX) indexes.push(i);
    }
  return linesByWord;
}

/** A candidate position with its ranking. Lines are counted from zero. */
type RankedSpot = { start: number; length: number; likeness: number; nearby: number; distance: number };

function rankPositions(
  note: LostLines,
  lines: readonly string[],
  linesByWord: ReadonlyMap<string, number[]>,
): RankedSpot[] {
  const { home, quote, searchLines, neighbours, usesNeighbours } = note;
  const ranked = listPositions(note, lines.length, linesByWord).map((start) => ({
    start,
    length: quote.length,
    likeness: compareAt(lines, start, searchLines),
    nearby: compareAt(lines, start, neighbours),
    distance: Math.abs(start - home),
  }));
  return ranked
    .filter(
      ({ start, likeness }) => likeness > LIKENESS_ABOVE && (!usesNeighbours || hasAt(lines, start, quote)),
    )
    .sort((a, b) => b.likeness - a.likeness || b.nearby - a.nearby || a.distance - b.distance);
}

/** Lists the positions that share the most words with a note. */
function listPositions(
  { quote, searchLines }: LostLines,
  lineCount: number,
  linesByWord: ReadonlyMap<string, number[]>,
): number[] {
  const shared = new Map<number, number>();
  for (const { offset, words } of searchLines)
    for (const word of new Set(words)) {
      const indexes = linesByWord.get(word) ?? [];
      if (indexes.length > WORD_LINES_MAX) continue;
      for (const line of indexes) shared.set(line - offset, (shared.get(line - offset) ?? 0) + 1);
    }
  return [...shared]
    .filter(([start]) => start >= 0 && start + quote.length <= lineCount)
    .sort(([, a], [, b]) => b - a)
    .slice(0, PLACES_MAX)
    .map(([start]) => start);
}

/** Returns the share of common words among all words of both. So lines of few words weigh little. */
function compareAt(lines: readonly string[], start: number, anchorLines: readonly AnchorLine[]): number {
  let [common, all] = [0, 0];
  for (const { offset, words } of anchorLines) {
    const candidateWords = listUncommonWords(lines[start + offset] ?? "").slice(0, WORDS_MAX);
    common += countCommon(words, candidateWords);
    all += words.length + candidateWords.length;
  }
  return all === 0 ? 0 : (2 * common) / all;
}

/** True if the position has exactly these lines, apart from their indent. */
const hasAt = (lines: readonly string[], start: number, quote: readonly string[]) =>
  quote.every((line, i) => lines[start + i]?.trim() === line.trim());

/** Chooses the best positions without overlaps. */
function chooseBest(ranked: readonly RankedSpot[]): RankedSpot[] {
  const chosen: RankedSpot[] = [];
  for (const next of ranked) {
    if (chosen.length === SUGGESTED_MAX) break;
    if (chosen.every(({ start, length }) => Math.abs(start - next.start) >= length)) chosen.push(next);
  }
  return chosen;
}

const toSuggestion =
  (lines: readonly string[]) =>
  ({ start, length }: RankedSpot): SuggestedLines => ({
    line_start: start + 1,
    line_end: start + length,
    text: itemAt(lines, start).trim().slice(0, TEXT_MAX),
  });
