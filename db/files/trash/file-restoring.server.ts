import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { toNameColumns } from "#db/files/file-names.server.ts";
import { resetFilePartsExpiry } from "#db/files/file-parts.server.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { findBody } from "#db/files/file-versions.server.ts";
import { ensureFolders, readFolders } from "#db/files/folders/folders.server.ts";
import { TRASH_INDEX } from "#db/files/listing/file-counts.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { EPOCH, trashed } from "#db/files/trash/trash.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import { findChild, findFolder, listOldFolders } from "#domain/files/folders/folder-tree.ts";
import { isFileId } from "#domain/files/selection.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * Restores a file with all its versions to its former path, and creates the folders of the path that are in the trash. It goes
 * to the root if its folder was deleted for good, and gets a number if its name is taken.
 */
export async function restoreFile(
  db: Db,
  ownerId: string,
  fileId: string,
  now: Date,
): Promise<FileRecord | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  // Upkeep may have dated it again as an interrupted deletion; then this is repeated.
  for (let attempt = 0; attempt < RESTORE_ATTEMPTS; attempt += 1) {
    const trashedDoc = await db.files.findOneAndUpdate(
      { _id: new ObjectId(fileId), ...trashed(ownerId), expires_at: { $gt: now } },
      { $set: { expiring: false } },
      { returnDocument: "after" },
    );
    if (!trashedDoc?.expires_at) return notFound;
    await resetFilePartsExpiry(db, [trashedDoc._id], trashedDoc.expires_at);
    if ((await findBody(db, ownerId, trashedDoc._id, trashedDoc.version)) === null) return notFound;
    const file = await restoreUnderFreeName(db, trashedDoc, now);
    if (file) return file;
  }
  return notFound;
}

/** Undoes one deletion, with every file of that time. Returns the restored files. */
export async function restoreDeletion(
  db: Db,
  ownerId: string,
  deletedAt: Date,
  now: Date,
): Promise<FileRecord[]> {
  const docs = await db.files
    .find(
      { user_id: ownerId, deleted_at: { $gt: EPOCH, $lte: deletedAt, $gte: deletedAt } },
      { hint: TRASH_INDEX },
    )
    .project<{ _id: ObjectId }>({ _id: 1 })
    .sort({ deleted_at: -1, _id: -1 })
    .toArray();
  const restored: FileRecord[] = [];
  for (const { _id } of docs) {
    const file = await restoreFile(db, ownerId, _id.toHexString(), now);
    if (!isRefusal(file)) restored.push(file);
  }
  return restored;
}

const NAMES_TRIED = 1000;
const RESTORE_ATTEMPTS = 3;

async function ensureOldFolder(
  db: Db,
  ownerId: string,
  oldFolderId: string | null | undefined,
  now: Date,
): Promise<string | null> {
  const tree = await readFolders(db, ownerId);
  if (oldFolderId && findFolder(tree, oldFolderId)) return oldFolderId;
  const newFolderId = await ensureFolders(db, ownerId, listOldFolders(tree, oldFolderId ?? null), now);
  return isRefusal(newFolderId) ? null : newFolderId;
}

async function restoreUnderFreeName(db: Db, trashedDoc: FileDoc, now: Date): Promise<FileRecord | null> {
  const { _id, user_id, deleted_at, expires_at, is_pinned } = trashedDoc;
  const folder_id = await ensureOldFolder(db, user_id, trashedDoc.folder_id, now);
  const tree = await readFolders(db, user_id);
  for (let number = 1; number <= NAMES_TRIED; number += 1) {
    const file_name = number === 1 ? trashedDoc.file_name : numberedName(trashedDoc.file_name, number);
    if (findChild(tree, folder_id, file_name)) continue;
    try {
      const doc = await db.files.findOneAndUpdate(
        { _id, user_id, deleted_at, expires_at, expiring: false },
        {
          $set: {
            deleted_at: null,
            expires_at: null,
            is_pinned: false,
            ...toNameColumns(file_name),
            folder_id,
            ...unindexed(),
          },
          $unset: { expiring: 1 },
        },
        { returnDocument: "after" },
      );
      if (!doc) return null;
      await indexOrQueueFiles(db, user_id, [_id.toHexString()]);
      const pinned = is_pinned ? await pinFile(db, user_id, _id.toHexString()) : null;
      return pinned && !isRefusal(pinned) ? pinned : toFile(doc);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new Error("No free name was found for a file to restore");
}
