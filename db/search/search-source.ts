import type { Named } from "#domain/search/rank.ts";

/** The fields of a file that a search needs, of any source. */
export type Searched = Named & {
  key: string;
  n?: number;
  bytes: number;
  /** Lower is better among files of one rank; null without a preference. */
  preference: number | null;
  updatedAt: Date;
};

/** A source of files for searches. Everything it returns already passes the filters of the search. */
export type SearchSource<File extends Searched> = {
  indexOwner: string;
  findByNumbers(numbers: readonly number[]): Promise<File[]>;
  findUnindexed(): Promise<File[]>;
  /**
   * Returns the numbers of the files that come first among equals: pinned, starred, recently opened; most preferred first.
   * `known` is the highest number in the index.
   */
  findPreferred(known: number): Promise<number[]>;
  /** Yields all files, newest first, for searches that the index cannot answer. */
  listAll(): AsyncIterable<File[]>;
  readTexts(files: readonly File[]): Promise<(string | null)[]>;
};
