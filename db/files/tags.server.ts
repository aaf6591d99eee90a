import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { TAG_INDEX } from "#db/files/listing/file-filters.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { type FileDetails, pickDetails } from "#domain/files/file-details.ts";
import { isFileId } from "#domain/files/selection.ts";
import { findSpelling, listTagKeys, toTagKey } from "#domain/files/tags.ts";

export const keyedTags = (tags: string[]) => ({ tags, tag_keys: listTagKeys(tags) });

export const keyedDetails = (
  details: Partial<FileDetails>,
): Partial<FileDetails & Pick<FileDoc, "tag_keys">> => ({
  ...pickDetails(details),
  ...(details.tags === undefined ? {} : keyedTags(details.tags)),
});

/**
 * Returns each tag in the spelling of the owner's newest other file that has it. Two simultaneous saves may still result in two
 * spellings, which count as one tag in searches.
 */
export function normalizeTagCase(
  db: Db,
  ownerId: string,
  tags: readonly string[],
  fileId?: string,
): Promise<string[]> {
  const otherFiles = isFileId(fileId) ? { _id: { $ne: new ObjectId(fileId) } } : {};
  return Promise.all(
    tags.map(async (tag) => {
      const key = toTagKey(tag);
      const [file] = await db.files
        .find({ ...living(ownerId), tag_keys: key, ...otherFiles }, { hint: TAG_INDEX })
        .project<Pick<FileDoc, "tags">>({ _id: 0, tags: 1 })
        .limit(1)
        .toArray();
      return findSpelling(file?.tags ?? [], key) ?? tag;
    }),
  );
}
