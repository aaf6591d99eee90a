import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { normalizeTagCase } from "#db/files/tags.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import { TAGS_MAX } from "#domain/files/file.ts";
import { findSpelling, toTagKey } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

/** Functions for several chosen files. Each first checks that all of them are outside the trash, and changes nothing otherwise. */
const toChosenFilter = (ownerId: string, fileIds: string[]) => ({
  _id: { $in: fileIds.map((id) => new ObjectId(id)) },
  ...living(ownerId),
});

export async function listMissingFileIds(db: Db, ownerId: string, fileIds: string[]): Promise<string[]> {
  const docs = await db.files
    .find(toChosenFilter(ownerId, fileIds))
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const existingIds = new Set(docs.map(({ _id }) => _id.toHexString()));
  return fileIds.filter((id) => !existingIds.has(id));
}

export async function listChosenFiles(
  db: Db,
  ownerId: string,
  fileIds: string[],
): Promise<FileRecord[] | Refusal> {
  const docs = await db.files.find(toChosenFilter(ownerId, fileIds)).toArray();
  const byId = new Map(docs.map((doc) => [doc._id.toHexString(), toFile(doc)]));
  const missing = fileIds.filter((id) => !byId.has(id));
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  return fileIds.map((id) => required(byId.get(id), "file that was found"));
}

export async function setFavorites(
  db: Db,
  ownerId: string,
  fileIds: string[],
  is_favorite: boolean,
): Promise<number | Refusal> {
  const missing = await listMissingFileIds(db, ownerId, fileIds);
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const { matchedCount } = await db.files.updateMany(toChosenFilter(ownerId, fileIds), {
    $set: { is_favorite },
  });
  db.preferred?.forget(ownerId);
  return matchedCount;
}

/** Files that an earlier release saved lack the keys until upkeep adds them. */
const KEYS = { $ifNull: ["$tag_keys", "$tags"] };

/** An expression for the tags that a file lacks at the time of the write. */
const toLackingTags = (tags: string[]) => ({
  $filter: {
    input: tags.map((tag) => ({ tag: { $literal: tag }, key: { $literal: toTagKey(tag) } })),
    cond: { $not: [{ $in: ["$$this.key", KEYS] }] },
  },
});

/** Filters files that have room for these tags beside their own. */
const toRoomFilter = (tags: string[]) => ({
  $expr: { $lte: [{ $add: [{ $size: "$tags" }, { $size: toLackingTags(tags) }] }, TAGS_MAX] },
});

const toTagUpdate = (tags: string[]) => ({
  tags: { $concatArrays: ["$tags", { $map: { input: toLackingTags(tags), in: "$$this.tag" } }] },
  tag_keys: { $concatArrays: [KEYS, { $map: { input: toLackingTags(tags), in: "$$this.key" } }] },
});

/**
 * Adds tags to each of the files, or refuses all of them if one would have too many. The write itself contains the limit: a
 * file that others fill up in between is unchanged and refused, while files tagged before it keep their tags.
 */
export async function addTags(
  db: Db,
  ownerId: string,
  fileIds: string[],
  requestedTags: string[],
): Promise<number | Refusal> {
  const tags = await normalizeTagCase(db, ownerId, requestedTags);
  const files = await listChosenFiles(db, ownerId, fileIds);
  if (!Array.isArray(files)) return files;
  const refusal = findTagRefusal(files, tags);
  if (refusal) return refusal;
  const { matchedCount } = await db.files.updateMany(
    { ...toChosenFilter(ownerId, fileIds), ...toRoomFilter(tags) },
    [{ $set: { ...toTagUpdate(tags), ...unindexed() } }],
  );
  await indexOrQueueFiles(db, ownerId, fileIds);
  if (matchedCount === fileIds.length) return matchedCount;
  const currentFiles = await listChosenFiles(db, ownerId, fileIds);
  return (Array.isArray(currentFiles) ? findTagRefusal(currentFiles, tags) : currentFiles) ?? matchedCount;
}

function findTagRefusal(files: FileRecord[], tags: string[]): Refusal | undefined {
  const fullFile = files.find(({ tags: fileTags }) => {
    const added = tags.filter((tag) => findSpelling(fileTags, toTagKey(tag)) === undefined);
    return fileTags.length + added.length > TAGS_MAX;
  });
  return fullFile && Refusal("invalid_tags", { max_tags: TAGS_MAX, file_id: fullFile.id });
}
