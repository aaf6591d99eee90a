import { folded } from "#domain/search/folded.ts";

/** What a tag is found and counted by: tags that differ in their case alone are one. */
export const toTagKey = (tag: string): string => folded(tag);

export const listTagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(toTagKey))];

/** The tag of a list that is this one, as the list spells it. */
export const findSpelling = (tags: readonly string[], key: string): string | undefined =>
  tags.find((tag) => toTagKey(tag) === key);

/** Each tag once, as it is spelled first. */
export function eachTagOnce(tags: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const tag of tags) if (!spellings.has(toTagKey(tag))) spellings.set(toTagKey(tag), tag);
  return [...spellings.values()];
}
