/**
 * Determines by the index alone which files may match a search, the most probable first. The index contains beginnings, words
 * and parts of names, tags, descriptions and definitions in texts, so texts are only read for files that may be on the page.
 */
import type { Db } from "#db/client.ts";
import { type Candidates, findCandidates } from "#db/segments/segments.server.ts";
import { toTagKey } from "#domain/files/tags.ts";
import { type Needle, RANKS } from "#domain/search/rank.ts";
import { needleKeys, startKey, wholeKey } from "#domain/search/search-keys.ts";

const NONE = 0xff;

/** Numbers of files by the best rank that they may have, newest number first. */
export type RankPlan = {
  ranks: { rank: number; numbers: number[] }[];
  count: number;
  /** The highest number in the index, different after every change of it. */
  known: number;
  /** Returns the best rank that a file's text may have for each term; null if the text lacks the term. */
  textRanks(n: number): (number | null)[];
  /** True if files that the index cannot name may match, because a term is too short for it or there is no term. */
  isOpen: boolean;
};

type Question = {
  rank: number;
  keys: number[];
  /** Many names have the same initials, so files whose text has the term are ranked by their text instead. */
  unlessInText?: true;
};

/** The number of characters in keys of beginnings. */
const START_LENGTH = 3;

type Filters = { languages: readonly string[]; tags: readonly string[] };
/** Files with one of the languages and every tag, and with none of the excluded ones. */
export type Narrowing = Filters & { without: Pick<Filters, "languages"> };

/** Returns null if the owner's files are not in the index yet. */
export async function planRanks(
  db: Db,
  indexOwner: string,
  needles: readonly Needle[],
  { languages, tags, without }: Narrowing,
): Promise<RankPlan> {
  const terms = needles.map(listTermQuestions);
  const narrowing = [languages.map(toLanguageQuestion), ...tags.map((tag) => [toTagQuestion(tag)])].filter(
    (questions) => questions.length > 0,
  );
  const groups = [...terms, ...narrowing];
  // Excluded tags are checked when files are read: two tags may have the same key, and the index would exclude both.
  const exclusions = without.languages.map(toLanguageQuestion);
  const results = await findCandidates(
    db,
    indexOwner,
    [...groups.flat(), ...exclusions].map(({ keys }) => keys),
  );
  const answers = results.values();
  const ranked = groups.map((questions) =>
    questions.map((question) => ({ ...question, candidates: answers.next().value })),
  );
  const textRankLists = ranked.slice(0, needles.length).map(rankTexts);
  return {
    ...sumRanks(ranked, answers.toArray()),
    textRanks: (n) =>
      needles.map((needle, i) => {
        if (isShort(needle)) return RANKS.line;
        const rank = textRankLists[i]?.[n] ?? NONE;
        return rank === NONE ? null : rank;
      }),
    isOpen: needles.some(isShort) || groups.length === 0,
  };
}

const toLanguageQuestion = (language: string): Question => ({
  rank: 0,
  keys: [wholeKey("language", language)],
});
const toTagQuestion = (tag: string): Question => ({ rank: 0, keys: [wholeKey("wholeTag", toTagKey(tag))] });

const isShort = (needle: Needle) => needleKeys("text", needle.folded).length === 0;

const isFiledWhole = (term: string) => [...term].length <= START_LENGTH;

/** Returns the lookups in the index for one term, best rank first. */
function listTermQuestions(needle: Needle): Question[] {
  const term = needle.folded;
  const name = needleKeys("name", term);
  const questions: Question[] = [
    { rank: RANKS.exact, keys: [wholeKey("wholeName", term)] },
    { rank: RANKS.prefix, keys: [startKey("nameStart", term), ...name] },
    // Terms of up to three characters are stored completely, as the beginning of a word or as initials.
    { rank: RANKS.word, keys: [startKey("word", term), ...(isFiledWhole(term) ? [] : name)] },
  ];
  if (needle.tagKey !== null)
    questions.push({ rank: RANKS.tag, keys: [wholeKey("wholeTag", needle.tagKey)] });
  if (isShort(needle)) return [...questions, { rank: RANKS.tag, keys: [startKey("tag", term)] }];
  if (!needle.literal && !isFiledWhole(term)) questions.push(...listInitialsQuestions(term));
  return [
    ...questions,
    { rank: RANKS.part, keys: name },
    { rank: RANKS.tag, keys: needleKeys("tag", term) },
    { rank: RANKS.description, keys: needleKeys("description", term) },
    { rank: RANKS.wholeDefinition, keys: [wholeKey("wholeDefinition", term)] },
    { rank: RANKS.definition, keys: [startKey("definitionWord", term), ...needleKeys("definition", term)] },
    { rank: RANKS.line, keys: needleKeys("text", term) },
  ];
}

/** Longer terms are names or words, not initials. */
const INITIALS_MAX = 40;

/** A word begins with the first characters of the term, for any number of them, and another word with the others. */
function listInitialsQuestions(term: string): Question[] {
  const characters = [...term];
  if (characters.length > INITIALS_MAX) return [];
  return characters.slice(1).map((_, i) => {
    const [first, remainder] = [characters.slice(0, i + 1).join(""), characters.slice(i + 1).join("")];
    const keys = [startKey("word", term), startKey("word", remainder), ...needleKeys("name", first)];
    return { rank: RANKS.initials, keys, unlessInText: true };
  });
}

type Answer = Question & { candidates: Candidates | undefined };

/** Returns the best rank by text for every file whose text has the term. */
function rankTexts(answers: readonly Answer[]): Uint8Array {
  const best = new Uint8Array(findHighestNumber(answers) + 1).fill(NONE);
  for (const { rank, candidates } of answers.toReversed())
    if (rank >= RANKS.wholeDefinition) for (const n of candidates?.numbers() ?? []) best[n] = rank;
  return best;
}

const findHighestNumber = (answers: readonly Answer[]) =>
  Math.max(0, ...answers.map(({ candidates }) => candidates?.known ?? 0));

/** Sums the best rank of a file for each term. A file that lacks a term or is excluded is no candidate. */
function sumRanks(
  groups: readonly Answer[][],
  exclusions: readonly Candidates[],
): Pick<RankPlan, "ranks" | "count" | "known"> {
  const known = findHighestNumber(groups.flat());
  const sums = new Uint8Array(known + 1);
  for (const answers of groups) {
    const best = new Uint8Array(known + 1).fill(NONE);
    const inText = answers.at(-1)?.candidates;
    for (const { rank, candidates, unlessInText } of answers)
      for (const n of candidates?.numbers() ?? [])
        if (rank < (best[n] ?? 0) && !(unlessInText && inText?.has(n))) best[n] = rank;
    for (let n = 0; n <= known; n += 1) sums[n] = Math.min(NONE, (sums[n] ?? 0) + (best[n] ?? 0));
  }
  for (const candidates of exclusions) for (const n of candidates.numbers()) sums[n] = NONE;
  const ranks = new Map<number, number[]>();
  let count = 0;
  for (let n = known; n > 0; n -= 1) {
    const rank = sums[n] ?? NONE;
    if (rank === NONE) continue;
    const numbers = ranks.get(rank);
    if (numbers) numbers.push(n);
    else ranks.set(rank, [n]);
    count += 1;
  }
  const sortedRanks = [...ranks].sort(([a], [b]) => a - b).map(([rank, numbers]) => ({ rank, numbers }));
  return { ranks: sortedRanks, count, known };
}
