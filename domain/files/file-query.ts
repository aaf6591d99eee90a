import type { FileSort } from "#domain/files/file.ts";
import { hasItem } from "#domain/typed-keys.ts";

/** A file of this size or more is a large one. */
export const LARGE_BYTES = 100 * 1024;
/** Categories with a meaning of their own; any other word is a tag. */
export const CATEGORIES = ["recent", "favorites", "pinned", "repo", "large", "other"] as const;
export type Category = (typeof CATEGORIES)[number];

export function isCategory(word: string): word is Category {
  return hasItem(CATEGORIES, word);
}

/** What narrows a list down. Every part given must hold. */
export type FileNarrowing = {
  q?: string;
  lang?: string;
  category?: string;
  repo?: string;
  /** The id of a folder, for the files right in it. */
  folder?: string;
};

/** In place of a folder's id: the files that are in no folder. */
export const ROOT_FOLDER = "root";

/** `cursor` is the place after which a page begins, `before` the one before which it ends. */
export type FileQuery = FileNarrowing & { sort: FileSort; cursor?: string; before?: string; limit: number };
