import type { Binary } from "mongodb";

/** `p` holds places in the segment, two bytes each, little-endian. */
export type PostingDoc = { _id: string; p: Binary };

/** The numbers given out to an owner's files so far. */
export type SearchNumberDoc = {
  _id: string;
  last: number;
  /** Numbers up to here have their file or will never have it. */
  settled?: number;
  /** The next that will be settled, given out by that moment. */
  settling?: { last: number; at: Date };
  /** Where the pass that merges postings stands; `after` is null between passes. */
  merge?: { after: string | null; last: number; finished_at: Date };
};
