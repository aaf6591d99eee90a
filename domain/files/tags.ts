import { foldCase } from "#domain/text/folded.ts";

/** Returns the key of a tag for search and counts: case does not count. */
export const toTagKey = (tag: string): string => foldCase(tag);

export const listTagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(toTagKey))];

export const findSpelling = (tags: readonly string[], key: string): string | undefined =>
  tags.find((tag) => toTagKey(tag) === key);

export function dedupeTags(tags: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const tag of tags) if (!spellings.has(toTagKey(tag))) spellings.set(toTagKey(tag), tag);
  return [...spellings.values()];
}
