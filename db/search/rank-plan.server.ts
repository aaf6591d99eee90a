/**
 * Which files may answer a search, the likely best first, by the index alone. The index knows beginnings, words and parts of names, tags,
 * descriptions and what texts define, so that texts are read only of files that may stand on the page.
 */
import type { Db } from "#db/client.ts";
import { type Candidates, findCandidates } from "#db/search/segments.server.ts";
import { toTagKey } from "#domain/files/tags.ts";
import { type Needle, RANKS } from "#domain/search/rank.ts";
import { needleKeys, startKey, wholeKey } from "#domain/search/search-keys.ts";

const NONE = 0xff;

/** Numbers of files by the best rank that they may have, the newest number first. */
export type RankPlan = {
  ranks: { rank: number; numbers: number[] }[];
  count: number;
  /** The highest number in the index: another one after every change of it. */
  known: number;
  /** The best rank that the text of a file may have for each term; null where the text does not have the term. */
  textRanks(n: number): (number | null)[];
  /** Files may answer which the index cannot name, because a term is too short for it or there is nothing to ask it. */
  isOpen: boolean;
};

type Question = {
  rank: number;
  keys: number[];
  /** Many files begin a word alike. Those whose text has the term are met under it. */
  unlessInText?: true;
};

/** Beginnings are filed by so many characters. */
const START_LENGTH = 3;

type Filters = { languages: readonly string[]; tags: readonly string[] };
/** Files with one of the languages and every tag, and in none of those to leave out. */
export type Narrowing = Filters & { without: Pick<Filters, "languages"> };

/** Null where the owner's files are not in the index yet. */
export async function planRanks(
  db: Db,
  indexOwner: string,
  needles: readonly Needle[],
  { languages, tags, without }: Narrowing,
): Promise<RankPlan | null> {
  const terms = needles.map(askOfTerm);
  const narrowing = [languages.map(askOfLanguage), ...tags.map((tag) => [askOfTag(tag)])].filter(
    (questions) => questions.length > 0,
  );
  const groups = [...terms, ...narrowing];
  // Tags are left out where files are read: two of them may share a number, and the index would leave out both.
  const left = without.languages.map(askOfLanguage);
  const found = await findCandidates(
    db,
    indexOwner,
    [...groups.flat(), ...left].map(({ keys }) => keys),
  );
  if (!found) return null;
  const answers = found.values();
  const ranked = groups.map((questions) =>
    questions.map((question) => ({ ...question, candidates: answers.next().value })),
  );
  const texts = ranked.slice(0, needles.length).map(rankTexts);
  return {
    ...addUp(ranked, answers.toArray()),
    textRanks: (n) =>
      needles.map((needle, i) => {
        if (isShort(needle)) return RANKS.line;
        const rank = texts[i]?.[n] ?? NONE;
        return rank === NONE ? null : rank;
      }),
    isOpen: needles.some(isShort) || groups.length === 0,
  };
}

const askOfLanguage = (language: string): Question => ({ rank: 0, keys: [wholeKey("language", language)] });
const askOfTag = (tag: string): Question => ({ rank: 0, keys: [wholeKey("wholeTag", toTagKey(tag))] });

const isShort = (needle: Needle) => needleKeys("text", needle.folded).length === 0;

const isFiledWhole = (term: string) => [...term].length <= START_LENGTH;

/** The lookups in the index for one term, the best rank first. */
function askOfTerm(needle: Needle): Question[] {
  const term = needle.folded;
  const name = needleKeys("name", term);
  const questions: Question[] = [
    { rank: RANKS.exact, keys: [wholeKey("wholeName", term)] },
    { rank: RANKS.prefix, keys: [startKey("nameStart", term), ...name] },
    // Three characters and fewer are filed whole, as the beginning of a word or as initials.
    { rank: RANKS.word, keys: [startKey("word", term), ...(isFiledWhole(term) ? [] : name)] },
  ];
  if (needle.tagKey !== null)
    questions.push({ rank: RANKS.tag, keys: [wholeKey("wholeTag", needle.tagKey)] });
  if (isShort(needle)) return [...questions, { rank: RANKS.tag, keys: [startKey("tag", term)] }];
  if (!needle.literal && !isFiledWhole(term)) questions.push(...askOfInitials(term));
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

/** Longer terms are names or words, not the beginnings of several. */
const INITIALS_MAX = 40;

/** A word begins with the first characters of the term, however many these are, and another one with what follows them. */
function askOfInitials(term: string): Question[] {
  const characters = [...term];
  if (characters.length > INITIALS_MAX) return [];
  return characters.slice(1).map((_, i) => {
    const [first, rest] = [characters.slice(0, i + 1).join(""), characters.slice(i + 1).join("")];
    const keys = [startKey("word", term), startKey("word", rest), ...needleKeys("name", first)];
    return { rank: RANKS.initials, keys, unlessInText: true };
  });
}

type Answer = Question & { candidates: Candidates | undefined };

/** The best rank by its text of every file that has the term in it. */
function rankTexts(answers: readonly Answer[]): Uint8Array {
  const best = new Uint8Array(knownNumbers(answers) + 1).fill(NONE);
  for (const { rank, candidates } of answers.toReversed())
    if (rank >= RANKS.wholeDefinition) for (const n of candidates?.numbers() ?? []) best[n] = rank;
  return best;
}

const knownNumbers = (answers: readonly Answer[]) =>
  Math.max(0, ...answers.map(({ candidates }) => candidates?.known ?? 0));

/** A file has the best rank of each term; one that lacks a term, or is left out, is no candidate. */
function addUp(
  groups: readonly Answer[][],
  leftOut: readonly Candidates[],
): Pick<RankPlan, "ranks" | "count" | "known"> {
  const known = knownNumbers(groups.flat());
  const sums = new Uint8Array(known + 1);
  for (const answers of groups) {
    const best = new Uint8Array(known + 1).fill(NONE);
    const inText = answers.at(-1)?.candidates;
    for (const { rank, candidates, unlessInText } of answers)
      for (const n of candidates?.numbers() ?? [])
        if (rank < (best[n] ?? 0) && !(unlessInText && inText?.has(n))) best[n] = rank;
    for (let n = 0; n <= known; n += 1) sums[n] = Math.min(NONE, (sums[n] ?? 0) + (best[n] ?? 0));
  }
  for (const candidates of leftOut) for (const n of candidates.numbers()) sums[n] = NONE;
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
  const inOrder = [...ranks].sort(([a], [b]) => a - b).map(([rank, numbers]) => ({ rank, numbers }));
  return { ranks: inOrder, count, known };
}
