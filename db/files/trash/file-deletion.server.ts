import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { resetFilePartsExpiry, setFilePartsExpiry } from "#db/files/file-parts.server.ts";
import { invalidateFacets } from "#db/files/listing/file-facets.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { listMissingFileIds } from "#db/files/selection.server.ts";
import { restorable, trashed } from "#db/files/trash/trash.server.ts";
import { isFileId } from "#domain/files/selection.ts";
import { TRASH_DAYS, trashExpiry } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type Deletion = { deleted: number; deleted_at: Date; expires_at: Date };

/**
 * Moves files to the trash: all of them, or none if one is missing. An interrupted deletion is continued by the next request
 * for it, with its original time, so that undoing it restores all of them.
 */
export async function trashFiles(
  db: Db,
  ownerId: string,
  fileIds: string[],
  now: Date,
  days = TRASH_DAYS,
): Promise<Deletion | Refusal> {
  const [first] = fileIds;
  const about = first ? { type: "file", id: first } : { type: "user", id: ownerId };
  return emitOnFault("db_delete_file_error", db, about, () => putInTrash(db, ownerId, fileIds, now, days));
}

async function putInTrash(
  db: Db,
  ownerId: string,
  fileIds: string[],
  now: Date,
  days: number,
): Promise<Deletion | Refusal> {
  const missingIds = await listMissingFileIds(db, ownerId, fileIds);
  const interrupted =
    missingIds.length > 0 ? await listInterruptedDeletions(db, ownerId, missingIds, now) : [];
  const missing = missingIds.filter((id) => !interrupted.some(({ _id }) => _id.toHexString() === id));
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const { deleted_at, expires_at } = interrupted[0] ?? {
    deleted_at: now,
    expires_at: trashExpiry(now, days),
  };
  const ids = fileIds.map((id) => new ObjectId(id));
  const { modifiedCount } = await db.files.updateMany(
    { _id: { $in: ids }, ...living(ownerId) },
    { $set: { deleted_at, expires_at, expiring: false }, $unset: { pin_slot: 1 } },
  );
  const newIds = ids.filter((id) => !interrupted.some(({ _id }) => _id.equals(id)));
  for (const file of interrupted) await dateTrashedFile(db, file);
  await beginExpiryOfTrashedFiles(db, ownerId, newIds, { deleted_at, expires_at });
  await invalidateFacets(db, ownerId);
  return { deleted: modifiedCount + interrupted.length, deleted_at, expires_at };
}

/** Lists those of the files that belong to interrupted deletions, the latest first: files without dates, and others of the same deletion. */
async function listInterruptedDeletions(
  db: Db,
  ownerId: string,
  fileIds: string[],
  now: Date,
): Promise<TrashedFileDoc[]> {
  const docs = await db.files
    .find({
      _id: { $in: fileIds.map((id) => new ObjectId(id)) },
      ...trashed(ownerId),
      ...restorable(now),
    })
    .project<TrashedFileDoc & { expiring: boolean }>({
      user_id: 1,
      deleted_at: 1,
      expires_at: 1,
      expiring: 1,
    })
    .toArray();
  const deletionTimes = new Set(
    docs.filter(({ expiring }) => !expiring).map(({ deleted_at }) => deleted_at.getTime()),
  );
  return docs
    .filter(({ deleted_at }) => deletionTimes.has(deleted_at.getTime()))
    .sort((a, b) => b.deleted_at.getTime() - a.deleted_at.getTime());
}

/** Matches files whose deletion was cut off: some of their parts may have no expiry date yet, so `expiring` is still false. */
export const cutOff = (now: Date) => ({ ...restorable(now), expiring: false });

export async function trashFile(
  db: Db,
  ownerId: string,
  fileId: string,
  now: Date,
): Promise<Deletion | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  const deletion = await trashFiles(db, ownerId, [fileId], now);
  return isRefusal(deletion) ? notFound : deletion;
}

export type TrashedFileDoc = Pick<FileDoc, "_id" | "user_id"> & { deleted_at: Date; expires_at: Date };

export const dateTrashedFile = (db: Db, { _id, user_id, ...dates }: TrashedFileDoc): Promise<void> =>
  beginExpiryOfTrashedFiles(db, user_id, [_id], dates);

type DeletionDates = Pick<TrashedFileDoc, "deleted_at" | "expires_at">;

/** Dates all parts of the files of one deletion, and only then the records, so that no record expires before its parts. */
export async function beginExpiryOfTrashedFiles(
  db: Db,
  user_id: string,
  ids: readonly ObjectId[],
  { deleted_at, expires_at }: DeletionDates,
): Promise<void> {
  if (ids.length === 0) return;
  await setFilePartsExpiry(db, ids, expires_at);
  const filter = { _id: { $in: [...ids] }, user_id, deleted_at, expires_at };
  const result = await db.files.updateMany(filter, { $set: { expiring: true } });
  if (result.matchedCount === ids.length) return;
  const stillTrashed = await db.files.find(filter).project<{ _id: ObjectId }>({ _id: 1 }).toArray();
  const restoredIds = ids.filter((id) => !stillTrashed.some(({ _id }) => _id.equals(id)));
  await resetFilePartsExpiry(db, restoredIds, expires_at);
}
