import type { Binary } from "mongodb";

/**
 * A segment of the search index, keyed by its owner and its own name: the numbers of its files, and the first key of each of
 * its chunks. A single chunk is stored in the record itself.
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

/** Keyed by its segment and its position in it. */
export type ChunkDoc = { _id: string; data: Binary };

/** The numbers assigned to an owner's files so far. */
export type SearchNumberDoc = {
  _id: string;
  last: number;
  /** The form of the index. */
  format: number;
  /** Numbers up to this have a file or will never have one. */
  settled?: number;
  /** The next number to settle, assigned by that time. */
  settling?: { last: number; at: Date };
  /** When numbers without a file were last removed. */
  swept_at?: Date;
};
