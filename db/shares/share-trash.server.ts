import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";

/**
 * The shares of a file follow it through the trash: suspended because their file is hidden, dated as its texts are, back with it,
 * gone with it. A link to several files goes on without the one that is gone, and ends by its own date.
 */
const sharesFilter = (fileIds: readonly ObjectId[]) => ({
  "files.file_id": { $in: [...fileIds] },
  kind: "file" as const,
});

export async function dateShares(db: Db, fileIds: readonly ObjectId[], bin_expires_at: Date): Promise<void> {
  await db.shares.updateMany(sharesFilter(fileIds), { $set: { bin_expires_at } });
}

/** Takes the date of one deletion from the shares that have it. */
export async function undateShares(
  db: Db,
  fileIds: readonly ObjectId[],
  bin_expires_at: Date,
): Promise<void> {
  await db.shares.updateMany({ ...sharesFilter(fileIds), bin_expires_at }, { $unset: { bin_expires_at: 1 } });
}

/**
 * What a crash leaves of it shows nothing: a share without its file is not found. Links to this file alone go while they still
 * name it: one that names nothing any more would not be found again by whoever goes on after a crash.
 */
export async function removeFileShares(db: Db, fileId: ObjectId): Promise<void> {
  await db.shares.deleteMany(sharesFilter([fileId]));
  const links = await db.shares
    .find({ "files.file_id": fileId })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const those = { _id: { $in: links.map(({ _id }) => _id) } };
  await db.shares.deleteMany({ ...those, files: { $not: { $elemMatch: { file_id: { $ne: fileId } } } } });
  await db.shares.updateMany(those, { $pull: { files: { file_id: fileId } } });
  // Two files of one link may go at once.
  await db.shares.deleteMany({ ...those, files: { $size: 0 } });
}
