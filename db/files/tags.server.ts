import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { TAG_INDEX } from "#db/files/listing/file-filters.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { type FileDetails, pickDetails } from "#domain/files/file-details.ts";
import { isFileId } from "#domain/files/selection.ts";
import { findSpelling, listTagKeys, toTagKey } from "#domain/files/tags.ts";

/** Tags as they are stored. */
export const keyedTags = (tags: string[]) => ({ tags, tag_keys: listTagKeys(tags) });

/** The details that are given, as they are stored. */
export const keyedDetails = (
  given: Partial<FileDetails>,
): Partial<FileDetails & Pick<FileDoc, "tag_keys">> => ({
  ...pickDetails(given),
  ...(given.tags === undefined ? {} : keyedTags(given.tags)),
});

/**
 * Each tag as another living file of the owner than this one spells it, the newest one that has it. Two saves at once may still bring two spellings;
 * they are one tag to whoever looks for it.
 */
export function spellTags(
  db: Db,
  ownerId: string,
  tags: readonly string[],
  fileId?: string,
): Promise<string[]> {
  const others = isFileId(fileId) ? { _id: { $ne: new ObjectId(fileId) } } : {};
  return Promise.all(
    tags.map(async (tag) => {
      const key = toTagKey(tag);
      const [file] = await db.files
        .find({ ...living(ownerId), tag_keys: key, ...others }, { hint: TAG_INDEX })
        .project<Pick<FileDoc, "tags">>({ _id: 0, tags: 1 })
        .limit(1)
        .toArray();
      return findSpelling(file?.tags ?? [], key) ?? tag;
    }),
  );
}
