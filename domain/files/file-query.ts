import type { FileSort } from "#domain/files/file.ts";
import { hasItem } from "#domain/typed-keys.ts";

export const LARGE_BYTES = 100 * 1024;
/** Categories with rules; any other word is a tag. */
export const CATEGORIES = ["recent", "favorites", "pinned", "repo", "large", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export function isCategory(word: string): word is Category {
  return hasItem(CATEGORIES, word);
}

/** The filters of a list; all must match. */
export type FileNarrowing = {
  q?: string;
  lang?: string;
  category?: string;
  repo?: string;
  /** A folder's id, for the files directly in it. */
  folder?: string;
};

/** Stands for a folder's id: the files in no folder. */
export const ROOT_FOLDER = "root";

/** A page begins after `cursor` or ends before `before`. */
export type FileQuery = FileNarrowing & { sort: FileSort; cursor?: string; before?: string; limit: number };
