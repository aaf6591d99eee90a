import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { splitIntoPortions } from "#db/core/portions.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { resetFilePartsExpiry } from "#db/files/file-parts.server.ts";
import { checkNoFileNamed, readFolders, saveFolderChange } from "#db/files/folders/folders.server.ts";
import { changeTree } from "#db/files/folders/tree-changes.server.ts";
import { invalidateFacets } from "#db/files/listing/file-facets.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { beginExpiryOfTrashedFiles } from "#db/files/trash/file-deletion.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import {
  type Folder,
  listChildren,
  listSubtree,
  restoreFolderEntry,
  trashFolderEntry,
} from "#domain/files/folders/folder-tree.ts";
import { trashExpiry } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

/**
 * Folders in the trash. The tree decides: one write puts a folder into the trash, and its files follow with the folder's date.
 * Restoring works in the opposite order, the folder last. So after any interruption the folder is in the trash and can be
 * restored with all its contents; `finishFolderDeletions` moves files that were left behind.
 */
const FILES_AT_ONCE = 500;
const FOLDER_INDEX = "files_of_folder";

type FolderDeletion = { folder_id: string; files: number; deleted_at: Date; expires_at: Date };

export async function moveFolderToTrash(
  db: Db,
  ownerId: string,
  folder_id: string,
  { ifEmpty = false }: { ifEmpty?: boolean },
  now: Date,
): Promise<FolderDeletion | Refusal> {
  return emitOnFault("db_delete_file_error", db, { type: "folder", id: folder_id }, async () => {
    if (ifEmpty && !(await isEmptyFolder(db, ownerId, folder_id)))
      return Refusal("folder_not_empty", { folder_id });
    const expires_at = trashExpiry(now);
    const folder = await saveFolderChange(db, ownerId, (tree) =>
      trashFolderEntry(tree, folder_id, now, expires_at),
    );
    if (isRefusal(folder)) return folder;
    const files = await trashFilesWithin(db, ownerId, folder);
    await invalidateFacets(db, ownerId);
    return { folder_id, files, deleted_at: now, expires_at };
  });
}

async function isEmptyFolder(db: Db, ownerId: string, folder_id: string): Promise<boolean> {
  const tree = await readFolders(db, ownerId);
  if (listChildren(tree, folder_id).length > 0) return false;
  const file = await db.files.findOne(
    { ...living(ownerId), folder_id },
    { projection: { _id: 1 }, hint: FOLDER_INDEX },
  );
  return file === null;
}

/** Moves every file within a trashed folder to the trash, with the folder's date. */
async function trashFilesWithin(db: Db, ownerId: string, folder: Folder): Promise<number> {
  const dates = {
    deleted_at: required(folder.deleted_at, "date of a deletion"),
    expires_at: required(folder.expires_at, "date of an expiry"),
  };
  const inside = listSubtree(await readFolders(db, ownerId), folder.id);
  const { modifiedCount } = await db.files.updateMany(
    { ...living(ownerId), folder_id: { $in: inside } },
    { $set: { ...dates, expiring: false }, $unset: { pin_slot: 1 } },
  );
  if (modifiedCount === 0) return 0;
  const docs = await db.files
    .find({ user_id: ownerId, folder_id: { $in: inside }, ...dates, expiring: false }, { hint: FOLDER_INDEX })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const ids = docs.map(({ _id }) => _id);
  for (const portion of splitIntoPortions(ids, FILES_AT_ONCE))
    await beginExpiryOfTrashedFiles(db, ownerId, portion, dates);
  return modifiedCount;
}

type RestoredFolder = { folder: Folder; files: number };

export async function restoreTrashedFolder(
  db: Db,
  ownerId: string,
  folder_id: string,
  now: Date,
): Promise<RestoredFolder | Refusal> {
  const tree = await readFolders(db, ownerId);
  const restored = restoreFolderEntry(tree, folder_id, now);
  if (isRefusal(restored)) return restored;
  const nameConflict = await checkNoFileNamed(db, ownerId, restored.parent_id, restored.name);
  if (nameConflict) return nameConflict;
  const deleted_at = required(tree.get(folder_id)?.deleted_at, "date of a deletion");
  const inside = listSubtree(tree, folder_id);
  const docs = await db.files
    .find(
      { user_id: ownerId, folder_id: { $in: inside }, deleted_at, expires_at: { $gt: now } },
      { hint: FOLDER_INDEX },
    )
    .project<TrashedDoc>({ is_pinned: 1, deleted_at: 1, expires_at: 1 })
    .toArray();
  for (const portion of splitIntoPortions(docs, FILES_AT_ONCE))
    await restoreFilesTogether(db, ownerId, portion, now);
  const folder = await saveFolderChange(db, ownerId, (current) =>
    restoreFolderEntry(current, folder_id, now),
  );
  if (isRefusal(folder)) return folder;
  return { folder, files: docs.length };
}

type TrashedDoc = Pick<FileDoc, "_id" | "is_pinned" | "deleted_at" | "expires_at">;

/** Restores the files of a deletion by a few writes; if a name among them was taken in between, one by one. */
async function restoreFilesTogether(
  db: Db,
  ownerId: string,
  docs: readonly TrashedDoc[],
  now: Date,
): Promise<void> {
  const ids = docs.map(({ _id }) => _id);
  const { deleted_at, expires_at } = required(docs[0], "file to restore");
  const chosen = { _id: { $in: ids }, user_id: ownerId, deleted_at };
  await db.files.updateMany(chosen, { $set: { expiring: false } });
  await resetFilePartsExpiry(db, ids, required(expires_at, "date of an expiry"));
  const reset = { deleted_at: null, expires_at: null, is_pinned: false, ...unindexed() };
  const update = { $set: reset, $unset: { expiring: 1 as const } };
  if (!(await skipDuplicate(db.files.updateMany({ ...chosen, expiring: false }, update))))
    for (const id of ids) await restoreFile(db, ownerId, id.toHexString(), now);
  await indexOrQueueFiles(
    db,
    ownerId,
    ids.map((id) => id.toHexString()),
  );
  for (const { _id, is_pinned } of docs) if (is_pinned) await pinFile(db, ownerId, _id.toHexString());
}

export type TrashedFolder = Folder & {
  files: number;
  deleted_at: Date;
  expires_at: Date;
  /** The folder itself and its subfolders. */
  folderIds: string[];
};

export async function listTrashedFolders(db: Db, ownerId: string): Promise<TrashedFolder[]> {
  const tree = await readFolders(db, ownerId);
  const folders = [...tree.values()].flatMap((folder) => {
    const { deleted_at, expires_at } = folder;
    return deleted_at && expires_at
      ? [{ ...folder, deleted_at, expires_at, folderIds: listSubtree(tree, folder.id) }]
      : [];
  });
  const counts = await countTrashedFiles(db, ownerId, [...new Set(folders.flatMap((f) => f.folderIds))]);
  return folders
    .map((folder) => {
      const fileCounts = folder.folderIds.map((id) => counts.get(toDeletionKey(id, folder.deleted_at)) ?? 0);
      return { ...folder, files: fileCounts.reduce((sum, files) => sum + files, 0) };
    })
    .sort((a, b) => b.deleted_at.getTime() - a.deleted_at.getTime());
}

const toDeletionKey = (folder_id: string, deleted_at: Date) => `${folder_id} ${deleted_at.getTime()}`;

/** Counts the deleted files per folder and time with a single query for all folders. */
async function countTrashedFiles(
  db: Db,
  user_id: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  if (folderIds.length === 0) return new Map();
  const docs = await db.files
    .aggregate<{ _id: { folder_id: string; deleted_at: Date }; files: number }>(
      [
        { $match: { user_id, folder_id: { $in: folderIds }, deleted_at: { $gt: new Date(0) } } },
        { $group: { _id: { folder_id: "$folder_id", deleted_at: "$deleted_at" }, files: { $sum: 1 } } },
      ],
      { hint: FOLDER_INDEX },
    )
    .toArray();
  return new Map(docs.map(({ _id, files }) => [toDeletionKey(_id.folder_id, _id.deleted_at), files]));
}

/** Finishes interrupted deletions and removes expired folders. Returns the number of people with trashed folders. */
export async function finishFolderDeletions(db: Db, now: Date): Promise<number> {
  const owners = await db.folder_changes
    .find({ expires_at: { $gt: new Date(0) } })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  for (const { _id: ownerId } of owners) {
    const tree = await readFolders(db, ownerId);
    const trashed = [...tree.values()].filter(({ deleted_at }) => deleted_at);
    for (const folder of trashed) await trashFilesWithin(db, ownerId, folder);
    await changeTree(db, ownerId, (current) => {
      const expired = [...current.values()].filter(({ expires_at }) => expires_at && expires_at <= now);
      return { remove: [...new Set(expired.flatMap(({ id }) => listSubtree(current, id)))] };
    });
  }
  return owners.length;
}
