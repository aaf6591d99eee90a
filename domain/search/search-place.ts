import type { SearchKind } from "#domain/search/search-query.ts";

type SearchPlace = { q: string; in?: SearchKind | null; cursor?: string | null };

/** The address of a search. A changed search begins at its first page. */
export function toSearchAddress(search: SearchPlace): string {
  const parameters = Object.entries(search).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const query = new URLSearchParams(parameters);
  return query.size > 0 ? `/search?${query}` : "/search";
}

/** Adds a filter to a search. A value with a space is quoted. */
export function addSearchFilter(q: string, name: "lang" | "tag", value: string): string {
  return `${q} ${name}:${/\s/.test(value) ? `"${value}"` : value}`.trim();
}
