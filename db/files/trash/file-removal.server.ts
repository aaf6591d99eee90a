import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { removeFileParts, removePartsWithoutOwner } from "#db/files/file-parts.server.ts";
import { purgeFolders } from "#db/files/folders/folders.server.ts";
import { TRASH_INDEX } from "#db/files/listing/file-counts.server.ts";
import { EPOCH, trashed } from "#db/files/trash/trash.server.ts";
import { freeBytes } from "#db/files/usage/library-usage.server.ts";
import { isFileId } from "#domain/files/selection.ts";
import { Refusal } from "#domain/refusal.ts";

export async function purgeFile(db: Db, ownerId: string, fileId: string, now: Date): Promise<true | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  return emitOnFault("db_delete_file_error", db, { type: "file", id: fileId }, async () => {
    const _id = new ObjectId(fileId);
    // From now on it cannot be restored, and the remains after a crash are overdue.
    const { matchedCount } = await db.files.updateOne(
      { _id, ...trashed(ownerId) },
      { $set: { expires_at: now } },
    );
    if (matchedCount === 0) return notFound;
    await freeBytes(db, ownerId, now, async (free) => free(await removeFileAndParts(db, ownerId, _id)));
    return true;
  });
}

/** Removes a file, the record last, so that it exists as long as any part does. Returns how many bytes of text were deleted. */
export async function removeFileAndParts(db: Db, user_id: string, _id: ObjectId): Promise<number> {
  const bytes = await removeFileParts(db, _id);
  await db.files.deleteOne({ _id, user_id, deleted_at: { $gt: EPOCH } });
  return bytes;
}

/** Deletes everything for good that is in the trash now. */
export async function emptyTrash(db: Db, ownerId: string, now: Date): Promise<number> {
  return emitOnFault("db_delete_file_error", db, { type: "user", id: ownerId }, async () => {
    const ids = await db.files
      .find({ user_id: ownerId, deleted_at: { $gt: EPOCH, $lte: now } }, { hint: TRASH_INDEX })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .sort({ deleted_at: -1, _id: -1 })
      .toArray();
    let deleted = 0;
    for (const { _id } of ids)
      if ((await purgeFile(db, ownerId, _id.toHexString(), now)) === true) deleted += 1;
    await purgeFolders(db, ownerId, now);
    return deleted;
  });
}

const BATCH_SIZE = 200;
const BATCHES = 25;

/**
 * Deletes a limited number of a person's files for good, in the trash or not: texts first, so that the remains are found by
 * their record. Returns the number of deleted files; 0 if there are none left.
 */
export async function removeOwnerFiles(db: Db, ownerId: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const docs = await db.files
      .find({ user_id: ownerId })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .limit(BATCH_SIZE)
      .toArray();
    if (docs.length === 0) return removed;
    const ids = docs.map(({ _id }) => _id);
    await removePartsWithoutOwner(db, ids);
    removed += (await db.files.deleteMany({ _id: { $in: ids }, user_id: ownerId })).deletedCount;
  }
  return removed;
}
