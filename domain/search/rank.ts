/**
 * How well a thing answers a search, from what it is called to a line that has the words. A lower rank is a better answer. A search of several
 * words is answered by what has all of them, and ranked by the sum.
 */
import { toTagKey } from "#domain/files/tags.ts";
import { findDefinitionsNamed } from "#domain/search/definitions.ts";
import { folded } from "#domain/search/folded.ts";
import { contains } from "#domain/search/matching-line.ts";
import { matchName, splitWords } from "#domain/search/name-words.ts";
import type { SearchTerm } from "#domain/search/search-query.ts";

export const RANKS = {
  exact: 0,
  prefix: 1,
  word: 2,
  initials: 3,
  part: 4,
  tag: 5,
  description: 6,
  wholeDefinition: 7,
  definition: 8,
  line: 9,
} as const;

/** A term as it is compared. `#math` also asks for the tag `math`, whose key is `tagKey`; in quotes it is text alone. */
export type Needle = SearchTerm & { folded: string; tagKey: string | null };

export const toNeedle = (term: SearchTerm): Needle => ({
  ...term,
  folded: folded(term.text),
  tagKey: !term.literal && /^#./u.test(term.text) ? toTagKey(term.text.slice(1)) : null,
});

export type Named = { name: string; description: string; tags: readonly string[]; language: string };

/** The rank by everything but the text; null where only the text may have it. */
export function rankByName({ name, description, tags }: Named, needle: Needle): number | null {
  const match = matchName(name, needle.text);
  if (match && contains(name, needle.folded)) return RANKS[match.rank];
  if (match && !needle.literal) return RANKS.initials;
  if (tags.some((tag) => toTagKey(tag) === needle.tagKey || contains(tag, needle.folded))) return RANKS.tag;
  if (contains(description, needle.folded)) return RANKS.description;
  return null;
}

/** A text, folded once for all terms. */
export type ReadText = { text: string; folded: string; language: string };

export const readText = (text: string, language: string): ReadText => ({
  text,
  folded: folded(text),
  language,
});

const hasWord = (name: string, needle: Needle) =>
  splitWords(name).some(({ start }) => folded(name.slice(start)).startsWith(needle.folded));

/** What the text defines that is called so, or else something in whose name a word begins so. */
export function findDefining(text: ReadText, needle: Needle): { rank: number; line?: number } {
  const named = findDefinitionsNamed(text, text.language, needle.folded);
  const whole = named.find(({ name }) => folded(name) === needle.folded);
  if (whole) return { rank: RANKS.wholeDefinition, line: whole.line };
  const part = named.find(({ name }) => hasWord(name, needle));
  return part ? { rank: RANKS.definition, line: part.line } : { rank: RANKS.line };
}

/**
 * The rank of a thing for all terms; null where it lacks one of them. What a text that has a term is worth for it is asked of the text, or told
 * by the index where that knows it.
 */
export function rankAll(
  named: Named,
  needles: readonly Needle[],
  text: ReadText | null,
  knownRanks?: readonly (number | null)[],
): number | null {
  let sum = 0;
  for (const [i, needle] of needles.entries()) {
    const byName = rankByName(named, needle);
    const hasIt = byName === null && text?.folded.includes(needle.folded);
    const rank = byName ?? (text && hasIt ? (knownRanks?.[i] ?? findDefining(text, needle).rank) : null);
    if (rank === null) return null;
    sum += rank;
  }
  return sum;
}
