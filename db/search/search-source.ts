import type { Named } from "#domain/search/rank.ts";

/** What a search needs of a file, wherever it is kept. */
export type Searched = Named & {
  key: string;
  n?: number;
  bytes: number;
  /** Lower is better among files of one rank; null where nothing prefers it. */
  preference: number | null;
  updatedAt: Date;
};

/** Where files are searched. Everything it returns already passes the filters of the search. */
export type SearchSource<File extends Searched> = {
  indexOwner: string;
  findByNumbers(numbers: readonly number[]): Promise<File[]>;
  findUnindexed(): Promise<File[]>;
  /**
   * The numbers of those that come first among equals: pinned, starred, opened lately. The first is preferred most. `known` is the highest
   * number in the index.
   */
  findPreferred(known: number): Promise<number[]>;
  /** All of it, newest first, for what the index cannot tell. */
  listAll(): AsyncIterable<File[]>;
  readTexts(files: readonly File[]): Promise<(string | null)[]>;
};
