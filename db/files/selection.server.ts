import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { spellTags } from "#db/files/tags.server.ts";
import { indexChanged, unindexed } from "#db/search/search-index.server.ts";
import { TAGS_MAX } from "#domain/files/file.ts";
import { findSpelling, toTagKey } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

/** Verbs over several chosen files. Each looks first whether all of them live, and changes nothing when one does not. */
const chosen = (ownerId: string, fileIds: string[]) => ({
  _id: { $in: fileIds.map((id) => new ObjectId(id)) },
  ...living(ownerId),
});

export async function findMissing(db: Db, ownerId: string, fileIds: string[]): Promise<string[]> {
  const found = await db.files
    .find(chosen(ownerId, fileIds))
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const there = new Set(found.map(({ _id }) => _id.toHexString()));
  return fileIds.filter((id) => !there.has(id));
}

/** The chosen files in the order they were chosen. */
export async function listChosen(
  db: Db,
  ownerId: string,
  fileIds: string[],
): Promise<FileRecord[] | Refusal> {
  const docs = await db.files.find(chosen(ownerId, fileIds)).toArray();
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
  const missing = await findMissing(db, ownerId, fileIds);
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const { matchedCount } = await db.files.updateMany(chosen(ownerId, fileIds), { $set: { is_favorite } });
  db.preferred?.forget(ownerId);
  return matchedCount;
}

/** A file that code of an earlier release saved has no keys until they are mended. */
const KEYS = { $ifNull: ["$tag_keys", "$tags"] };

/** The tags that a file lacks when the write reaches it. */
const lacking = (tags: string[]) => ({
  $filter: {
    input: tags.map((tag) => ({ tag: { $literal: tag }, key: { $literal: toTagKey(tag) } })),
    cond: { $not: [{ $in: ["$$this.key", KEYS] }] },
  },
});

/** Holds for a file that these tags fit on, beside those it has. */
const fitting = (tags: string[]) => ({
  $expr: { $lte: [{ $add: [{ $size: "$tags" }, { $size: lacking(tags) }] }, TAGS_MAX] },
});

const addLacking = (tags: string[]) => ({
  tags: { $concatArrays: ["$tags", { $map: { input: lacking(tags), in: "$$this.tag" } }] },
  tag_keys: { $concatArrays: [KEYS, { $map: { input: lacking(tags), in: "$$this.key" } }] },
});

/**
 * Adds tags to each of the files; refused whole where one of them would have too many. The limit stands in the write itself: a
 * file that others fill up in between is left as it is and refused, while those tagged before it keep their tags.
 */
export async function addTags(
  db: Db,
  ownerId: string,
  fileIds: string[],
  given: string[],
): Promise<number | Refusal> {
  const tags = await spellTags(db, ownerId, given);
  const files = await listChosen(db, ownerId, fileIds);
  if (!Array.isArray(files)) return files;
  const full = fullWith(files, tags);
  if (full) return full;
  const { matchedCount } = await db.files.updateMany({ ...chosen(ownerId, fileIds), ...fitting(tags) }, [
    { $set: { ...addLacking(tags), ...unindexed() } },
  ]);
  await indexChanged(db, ownerId, fileIds);
  if (matchedCount === fileIds.length) return matchedCount;
  const now = await listChosen(db, ownerId, fileIds);
  return (Array.isArray(now) ? fullWith(now, tags) : now) ?? matchedCount;
}

function fullWith(files: FileRecord[], tags: string[]): Refusal | undefined {
  const full = files.find(({ tags: own }) => {
    const added = tags.filter((tag) => findSpelling(own, toTagKey(tag)) === undefined);
    return own.length + added.length > TAGS_MAX;
  });
  return full && Refusal("invalid_tags", { max_tags: TAGS_MAX, file_id: full.id });
}
