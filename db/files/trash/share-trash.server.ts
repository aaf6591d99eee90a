import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";

/**
 * The shares of a file follow it through the trash: hidden with it, dated like its texts, restored with it, deleted with it. A link to several
 * files continues without the deleted one and ends by its own date.
 */
const sharesFilter = (fileIds: readonly ObjectId[]) => ({
  "files.file_id": { $in: [...fileIds] },
  kind: "file" as const,
});

export async function setSharesExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  bin_expires_at: Date,
): Promise<void> {
  await db.shares.updateMany(sharesFilter(fileIds), { $set: { bin_expires_at } });
}

/** Removes the date of one deletion from the shares that have it. */
export async function resetSharesExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  bin_expires_at: Date,
): Promise<void> {
  await db.shares.updateMany({ ...sharesFilter(fileIds), bin_expires_at }, { $unset: { bin_expires_at: 1 } });
}

/**
 * After a crash, leftovers show nothing, because a share without its file is not found. Links to only this file are deleted
 * while they still name it, because a later repair could not find a link that names nothing.
 */
export async function removeFileShares(db: Db, fileId: ObjectId): Promise<void> {
  await db.shares.deleteMany(sharesFilter([fileId]));
  const links = await db.shares
    .find({ "files.file_id": fileId })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const filter = { _id: { $in: links.map(({ _id }) => _id) } };
  await db.shares.deleteMany({ ...filter, files: { $not: { $elemMatch: { file_id: { $ne: fileId } } } } });
  await db.shares.updateMany(filter, { $pull: { files: { file_id: fileId } } });
  // Two files of a link may be deleted at once.
  await db.shares.deleteMany({ ...filter, files: { $size: 0 } });
}
