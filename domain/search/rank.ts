/**
 * Ranks how well an item answers a search, from its name down to a line with the words. Lower is better. A search of several
 * words requires all of them, and their ranks are added.
 */
import { toTagKey } from "#domain/files/tags.ts";
import { findDefinitionsNamed } from "#domain/search/definitions.ts";
import { contains } from "#domain/search/matching-line.ts";
import { matchName, splitWords } from "#domain/search/name-words.ts";
import type { SearchTerm } from "#domain/search/search-query.ts";
import { foldCase } from "#domain/text/folded.ts";

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

/** A search term prepared for comparison. `#math` also matches the tag `math` with the key `tagKey`; in quotes it is only text. */
export type Needle = SearchTerm & { folded: string; tagKey: string | null };

export const toNeedle = (term: SearchTerm): Needle => ({
  ...term,
  folded: foldCase(term.text),
  tagKey: !term.literal && /^#./u.test(term.text) ? toTagKey(term.text.slice(1)) : null,
});

export type Named = { name: string; description: string; tags: readonly string[]; language: string };

/** Ranks by everything except the text; null if only the text may match. */
export function rankByName({ name, description, tags }: Named, needle: Needle): number | null {
  const match = matchName(name, needle.text);
  if (match && contains(name, needle.folded)) return RANKS[match.rank];
  if (match && !needle.literal) return RANKS.initials;
  if (tags.some((tag) => toTagKey(tag) === needle.tagKey || contains(tag, needle.folded))) return RANKS.tag;
  if (contains(description, needle.folded)) return RANKS.description;
  return null;
}

/** A text that is folded once for all terms. */
export type ReadText = { text: string; folded: string; language: string };

export const toReadText = (text: string, language: string): ReadText => ({
  text,
  folded: foldCase(text),
  language,
});

const hasWord = (name: string, needle: Needle) =>
  splitWords(name).some(({ start }) => foldCase(name.slice(start)).startsWith(needle.folded));

/** Finds a definition with exactly this name, otherwise a definition with a word that begins like this. */
export function findDefinitionRank(text: ReadText, needle: Needle): { rank: number; line?: number } {
  const definitions = findDefinitionsNamed(text, text.language, needle.folded);
  const exactDefinition = definitions.find(({ name }) => foldCase(name) === needle.folded);
  if (exactDefinition) return { rank: RANKS.wholeDefinition, line: exactDefinition.line };
  const partialDefinition = definitions.find(({ name }) => hasWord(name, needle));
  return partialDefinition ? { rank: RANKS.definition, line: partialDefinition.line } : { rank: RANKS.line };
}

/**
 * Ranks an item for all terms; null if it lacks a term. The rank of a term in the text is computed from the text unless the
 * index already knows it.
 */
export function rankAll(
  named: Named,
  needles: readonly Needle[],
  text: ReadText | null,
  knownRanks?: readonly (number | null)[],
): number | null {
  let sum = 0;
  for (const [i, needle] of needles.entries()) {
    const nameRank = rankByName(named, needle);
    const isInText = nameRank === null && text?.folded.includes(needle.folded);
    const rank =
      nameRank ?? (text && isInText ? (knownRanks?.[i] ?? findDefinitionRank(text, needle).rank) : null);
    if (rank === null) return null;
    sum += rank;
  }
  return sum;
}
