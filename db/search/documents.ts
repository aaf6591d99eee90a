import type { Binary } from "mongodb";

/**
 * One segment of the search index, keyed by its owner and a name of its own: the numbers it is about, and from which key on each of its
 * chunks is. The chunk of a segment that has only one stands in it.
 */
export type SegmentDoc = {
  _id: string;
  /** The lowest number, from which places are counted, and the highest. */
  first: number;
  last: number;
  files: number;
  /** The first key of each chunk, four bytes each, little-endian. */
  starts: Binary;
  chunk?: Binary;
};

/** Keyed by its segment and its place in it. */
export type ChunkDoc = { _id: string; data: Binary };

/** The numbers given out to an owner's files so far. */
export type SearchNumberDoc = {
  _id: string;
  last: number;
  /** The form of the index. Without one, nothing of the owner's is in segments yet. */
  format?: number;
  /** While it is taken over to segments: up to which number files may not be in them. */
  upgrade_up_to?: number;
  /** Numbers up to here have their file or will never have it. */
  settled?: number;
  /** The next that will be settled, given out by that moment. */
  settling?: { last: number; at: Date };
  /** When numbers without a file were last left out. */
  swept_at?: Date;
};

/** What the index was kept in before segments, until the owner's files are in them. */
export type PostingDoc = { _id: string };
