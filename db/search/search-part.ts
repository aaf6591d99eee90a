/** A hit of the searches over files, notes and mirrors. */
import type { Precision, Ranked } from "#db/search/ranked-search.server.ts";
import { type LinePart, type MatchingLine, markedParts } from "#domain/search/matching-line.ts";
import { findDefinitionRank, type Needle, RANKS } from "#domain/search/rank.ts";
import type { SearchQuery } from "#domain/search/search-query.ts";

export type SearchHit = {
  kind: "file" | "note" | "repo_file";
  id: string;
  title: string;
  titleParts: LinePart[];
  path: string | null;
  /** The name of the mirror. */
  repo: string | null;
  language: string | null;
  /** The tags of a library file; notes and files of mirrors have none. */
  tags: readonly string[];
  /** The best line first, and the total number of lines. */
  lines: MatchingLine[];
  lineCount: number;
  /** True if the name matches; otherwise only the text does. */
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

/** Ranks in order, and a function that creates the hits at some of their positions. */
export type SearchPart = {
  ranks: number[];
  toHits(places: readonly number[]): Promise<SearchHit[]>;
  count: number;
  precision: Precision;
};

export const NO_HITS: SearchPart = { ranks: [], toHits: async () => [], count: 0, precision: "exact" };

/** The number of shown lines per hit. */
export const LINES_MAX = 5;

export const toTitle = (title: string, { needles }: Pick<SearchRequest, "needles">) => ({
  title,
  titleParts: markedParts(
    title,
    needles.map((needle) => needle.folded),
  ),
});

export function findDefiningLine(
  { rank, text }: Pick<Ranked<unknown>, "rank" | "text">,
  needles: readonly Needle[],
): number | undefined {
  if (!text || rank === needles.length * RANKS.line) return undefined;
  for (const needle of needles) {
    const { line } = findDefinitionRank(text, needle);
    if (line !== undefined) return line;
  }
  return undefined;
}
