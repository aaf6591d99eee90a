/**
 * The filter of files in the trash. `countLivingFiles` counts files outside it from the keys of an index alone. An index does not
 * distinguish `deleted_at: null` from a missing field, so all files are counted, and those in the trash, whose date is a range
 * of keys, are subtracted. A file that is trashed or restored in between counts as it was when the trash was counted. One that
 * is deleted for good in between may be subtracted without having been counted, for that single answer.
 */

import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { chooseCountIndex, narrowingFilter } from "#db/files/listing/file-filters.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";

export const TRASHED = { deleted_at: { $gt: new Date(0) } } as const;
/** Contains every field that lists can be narrowed to, except tags. */
export const TRASH_INDEX = "trashed_files";

type CountedFiles = {
  filter: Filter<FileDoc>;
  index: string;
  /** The index that contains them together with `deleted_at`. */
  trashIndex?: string;
};

export async function countLivingFiles(
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

export async function countFiles(
  db: Db,
  ownerId: string,
  narrowing: Omit<FileNarrowing, "q">,
): Promise<number> {
  const { category, lang, repo } = narrowing;
  if (category === "other") {
    // "Without a repository" is null, which keys do not distinguish, so it is computed from the others.
    if (repo) return 0;
    const [all, fromRepos] = await Promise.all([
      countFiles(db, ownerId, { lang }),
      countFiles(db, ownerId, { lang, category: "repo" }),
    ]);
    return Math.max(all - fromRepos, 0);
  }
  const isTag = "tag_keys" in narrowingFilter(narrowing);
  const index = chooseCountIndex(narrowing);
  return countLivingFiles(db, ownerId, {
    filter: narrowingFilter(narrowing),
    index,
    trashIndex: isTag ? index : TRASH_INDEX,
  });
}
