/** What the search over files, the one over notes and the one over mirrors have in common. */
import type { Precision, Ranked } from "#db/search/ranked-search.server.ts";
import { type LinePart, type MatchingLine, markedParts } from "#domain/search/matching-line.ts";
import { findDefining, type Needle, RANKS } from "#domain/search/rank.ts";
import type { SearchQuery } from "#domain/search/search-query.ts";

export type SearchHit = {
  kind: "file" | "note" | "repo_file";
  /** Of the file, the note or the mirror. */
  id: string;
  title: string;
  titleParts: LinePart[];
  path: string | null;
  /** The name of the mirror. */
  repo: string | null;
  language: string | null;
  /** Of a file of the library; notes and files of mirrors have none. */
  tags: readonly string[];
  /** The best line first, and how many lines there are in all. */
  lines: MatchingLine[];
  lineCount: number;
  /** Whether it is called so; otherwise its text says so. */
  isNamed: boolean;
  updatedAt: Date;
};

export type SearchRequest = {
  ownerId: string;
  query: SearchQuery;
  needles: Needle[];
  excluded: Needle[];
  now: Date;
};

/** Ranks in order, and how the hits at some of their places are made. */
export type SearchPart = {
  ranks: number[];
  toHits(places: readonly number[]): Promise<SearchHit[]>;
  count: number;
  precision: Precision;
};

export const NO_HITS: SearchPart = { ranks: [], toHits: async () => [], count: 0, precision: "exact" };

/** How many lines of a hit are shown. */
export const LINES_MAX = 5;

export const toTitle = (title: string, { needles }: Pick<SearchRequest, "needles">) => ({
  title,
  titleParts: markedParts(
    title,
    needles.map((needle) => needle.folded),
  ),
});

/** The line that defines one of the terms. The rank tells whether there may be one. */
export function findDefiningLine(
  { rank, text }: Pick<Ranked<unknown>, "rank" | "text">,
  needles: readonly Needle[],
): number | undefined {
  if (!text || rank === needles.length * RANKS.line) return undefined;
  for (const needle of needles) {
    const { line } = findDefining(text, needle);
    if (line !== undefined) return line;
  }
  return undefined;
}
