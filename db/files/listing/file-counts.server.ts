/**
 * How many living files there are, from the keys of an index alone. A living file is one whose `deleted_at` is null, and no index
 * tells null from a field that is missing: a store that counts by it reads every file. So all files are counted, and those in the trash,
 * whose date is a range of keys, are taken off.
 *
 * A file that goes to the trash or comes back between the two counts is counted as it was when the trash was. One that is deleted
 * for good between them may be taken off without having been counted, for that one answer.
 */

import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { countIndex, narrowingFilter } from "#db/files/listing/file-filters.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";

export const TRASHED = { deleted_at: { $gt: new Date(0) } } as const;
/** It holds all that lists are narrowed to but tags. */
export const TRASH_INDEX = "trashed_files";

type CountedFiles = {
  filter: Filter<FileDoc>;
  /** Which index holds every field of the filter. */
  index: string;
  /** Which index holds them together with `deleted_at`. */
  trashIndex?: string;
};

export async function countLiving(
  { files }: Db,
  ownerId: string,
  { filter, index, trashIndex = TRASH_INDEX }: CountedFiles,
): Promise<number> {
  const [all, trashed] = await Promise.all([
    files.countDocuments({ user_id: ownerId, ...filter }, { hint: index }),
    files.countDocuments({ user_id: ownerId, ...filter, ...TRASHED }, { hint: trashIndex }),
  ]);
  return Math.max(all - trashed, 0);
}

/** How many files a list has on all its pages. */
export async function countFiles(
  db: Db,
  ownerId: string,
  narrowing: Omit<FileNarrowing, "q">,
): Promise<number> {
  const { category, lang, repo } = narrowing;
  if (category === "other") {
    // Without a repository means null, which keys do not tell: it is what is left of all.
    if (repo) return 0;
    const [all, fromRepos] = await Promise.all([
      countFiles(db, ownerId, { lang }),
      countFiles(db, ownerId, { lang, category: "repo" }),
    ]);
    return Math.max(all - fromRepos, 0);
  }
  const isTag = "tag_keys" in narrowingFilter(narrowing);
  const index = countIndex(narrowing);
  return countLiving(db, ownerId, {
    filter: narrowingFilter(narrowing),
    index,
    trashIndex: isTag ? index : TRASH_INDEX,
  });
}
