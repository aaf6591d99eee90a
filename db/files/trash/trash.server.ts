import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { dateFileParts, removeFileParts, undateFileParts } from "#db/files/file-parts.server.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { findBody } from "#db/files/file-versions.server.ts";
import { orderedName } from "#db/files/files.server.ts";
import { TRASH_INDEX, TRASHED } from "#db/files/listing/file-counts.server.ts";
import { recountFacets } from "#db/files/listing/file-facets.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { findMissing } from "#db/files/selection.server.ts";
import { freeBytes } from "#db/files/usage/library-usage.server.ts";
import { purgeFolders, readFolders } from "#db/folders/folders.server.ts";
import { indexChanged, unindexed } from "#db/search/search-index.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { isFileId } from "#domain/files/selection.ts";
import { numberedName, TRASH_DAYS, trashExpiry } from "#domain/files/trash.ts";
import { findChild, findFolder } from "#domain/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * The trash. A file is its record and what hangs on it (`file-parts.server.ts`), and each kind of document has a TTL index, so
 * the store itself empties the trash.
 *
 * The record decides: `deleted_at` hides the file in one write. Then its parts get the date, and only then is the record
 * `expiring`. Coming back goes the other way: the record stops expiring, the others lose the date, the record is seen again. So
 * a crash anywhere leaves a file that is in the trash, whole and restorable, or out of it; a record never goes before the rest.
 * A file that comes back while it is still being dated has the date taken from it again, by the deletion itself or by its upkeep.
 */
const EPOCH = new Date(0);
const trashed = (ownerId: string) => ({ user_id: ownerId, ...TRASHED });

type TrashedFile = FileRecord & { deleted_at: Date; expires_at: Date };
/** The filters of the trash ask for both dates. */
const toTrashedFile = (doc: FileDoc) => toFile(doc) as TrashedFile;
type Deletion = { deleted: number; deleted_at: Date; expires_at: Date };

/**
 * Moves living files to the trash: all of them, or none when one is missing. A deletion that was interrupted is continued by the next
 * request for it, with the moment of its beginning, so that undoing it restores all of them.
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
  const gone = await findMissing(db, ownerId, fileIds);
  const begun = gone.length > 0 ? await listBegun(db, ownerId, gone, now) : [];
  const missing = gone.filter((id) => !begun.some(({ _id }) => _id.toHexString() === id));
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const { deleted_at, expires_at } = begun[0] ?? { deleted_at: now, expires_at: trashExpiry(now, days) };
  const ids = fileIds.map((id) => new ObjectId(id));
  const { modifiedCount } = await db.files.updateMany(
    { _id: { $in: ids }, ...living(ownerId) },
    { $set: { deleted_at, expires_at, expiring: false }, $unset: { pin_slot: 1 } },
  );
  const fresh = ids.filter((id) => !begun.some(({ _id }) => _id.equals(id)));
  for (const file of begun) await dateTrashedFile(db, file);
  await dateTrashedFiles(db, ownerId, fresh, { deleted_at, expires_at });
  await recountFacets(db, ownerId);
  return { deleted: modifiedCount + begun.length, deleted_at, expires_at };
}

/** Of these the files of deletions that were cut off, what was deleted last first: those that are not dated yet, and those beside them. */
async function listBegun(db: Db, ownerId: string, fileIds: string[], now: Date): Promise<TrashedFileDoc[]> {
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
  const moments = new Set(
    docs.filter(({ expiring }) => !expiring).map(({ deleted_at }) => deleted_at.getTime()),
  );
  return docs
    .filter(({ deleted_at }) => moments.has(deleted_at.getTime()))
    .sort((a, b) => b.deleted_at.getTime() - a.deleted_at.getTime());
}

/** Not overdue, and not being imported: an unfinished import looks like a deleted file. */
const restorable = (now: Date) => ({ expires_at: { $gt: now }, importing: { $exists: false } });

/** In the trash, and not every part of it has the date. */
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
  dateTrashedFiles(db, user_id, [_id], dates);

type DeletionDates = Pick<TrashedFileDoc, "deleted_at" | "expires_at">;

/** Dates all that files of one deletion are made of, and only then the records: they never go before the rest. */
export async function dateTrashedFiles(
  db: Db,
  user_id: string,
  ids: readonly ObjectId[],
  { deleted_at, expires_at }: DeletionDates,
): Promise<void> {
  if (ids.length === 0) return;
  await dateFileParts(db, ids, expires_at);
  const trashedWith = { _id: { $in: [...ids] }, user_id, deleted_at, expires_at };
  const dated = await db.files.updateMany(trashedWith, { $set: { expiring: true } });
  if (dated.matchedCount === ids.length) return;
  const still = await db.files.find(trashedWith).project<{ _id: ObjectId }>({ _id: 1 }).toArray();
  const back = ids.filter((id) => !still.some(({ _id }) => _id.equals(id)));
  await undateFileParts(db, back, expires_at);
}

type TrashPage = { files: TrashedFile[]; next_cursor: string | null };

/** The files that went to the trash at one moment with these folders. */
type FilesOfDeletion = { deleted_at: Date; folderIds: readonly string[] };

/** What was deleted last comes first; what is listed as a folder may be left out. */
export async function listTrash(
  db: Db,
  ownerId: string,
  { cursor, limit, without = [] }: { cursor?: string; limit: number; without?: readonly FilesOfDeletion[] },
): Promise<TrashPage | Refusal> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  if (after === null) return Refusal("invalid_cursor");
  const moment = after && new Date(after.createdAtMs);
  const behind = after && moment ? { deleted_at: { $gt: EPOCH, $lte: moment } } : {};
  const before = after && moment ? [{ deleted_at: moment, _id: { $gte: new ObjectId(after.id) } }] : [];
  const left = without.map(({ deleted_at, folderIds }) => ({
    deleted_at,
    folder_id: { $in: [...folderIds] },
  }));
  const nor = [...before, ...left];
  const docs = await db.files
    .find({ ...trashed(ownerId), ...behind, ...(nor.length > 0 ? { $nor: nor } : {}) }, { hint: TRASH_INDEX })
    .sort({ deleted_at: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const files = docs.slice(0, limit).map(toTrashedFile);
  const last = docs.length > limit ? files.at(-1) : undefined;
  return {
    files,
    next_cursor: last ? encodeCursor({ createdAtMs: last.deleted_at.getTime(), id: last.id }) : null,
  };
}

/** A file that is in the trash and can be restored. */
export async function findTrashedFile(
  db: Db,
  ownerId: string,
  fileId: string,
  now: Date,
): Promise<TrashedFile | null> {
  if (!isFileId(fileId)) return null;
  const doc = await db.files.findOne({ _id: new ObjectId(fileId), ...trashed(ownerId), ...restorable(now) });
  return doc && toTrashedFile(doc);
}

export async function countTrash(db: Db, ownerId: string): Promise<number> {
  return db.files.countDocuments(trashed(ownerId), { hint: TRASH_INDEX });
}

/** Brings a file back with all its versions: at the root if its folder is gone, under a numbered name where its own lives again. */
export async function restoreFile(
  db: Db,
  ownerId: string,
  fileId: string,
  now: Date,
): Promise<FileRecord | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  // Upkeep may have taken it for an interrupted deletion and dated it again; then this is tried once more.
  for (let attempt = 0; attempt < RESTORE_ATTEMPTS; attempt += 1) {
    const held = await db.files.findOneAndUpdate(
      { _id: new ObjectId(fileId), ...trashed(ownerId), expires_at: { $gt: now } },
      { $set: { expiring: false } },
      { returnDocument: "after" },
    );
    if (!held?.expires_at) return notFound;
    await undateFileParts(db, [held._id], held.expires_at);
    if ((await findBody(db, ownerId, held._id, held.version)) === null) return notFound;
    const file = await reveal(db, held);
    if (file) return file;
  }
  return notFound;
}

/** Takes back one deletion: every file that went at that moment. Answers with those that came back. */
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

async function reveal(db: Db, held: FileDoc): Promise<FileRecord | null> {
  const { _id, user_id, deleted_at, expires_at, is_pinned } = held;
  const tree = await readFolders(db, user_id);
  const folder_id = held.folder_id && findFolder(tree, held.folder_id) ? held.folder_id : null;
  for (let number = 1; number <= NAMES_TRIED; number += 1) {
    const file_name = number === 1 ? held.file_name : numberedName(held.file_name, number);
    if (findChild(tree, folder_id, file_name)) continue;
    try {
      const doc = await db.files.findOneAndUpdate(
        { _id, user_id, deleted_at, expires_at, expiring: false },
        {
          $set: {
            deleted_at: null,
            expires_at: null,
            is_pinned: false,
            ...orderedName(file_name),
            folder_id,
            ...unindexed(),
          },
          $unset: { expiring: 1 },
        },
        { returnDocument: "after" },
      );
      if (!doc) return null;
      await indexChanged(db, user_id, [_id.toHexString()]);
      const pinned = is_pinned ? await pinFile(db, user_id, _id.toHexString()) : null;
      return pinned && !isRefusal(pinned) ? pinned : toFile(doc);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new Error("No free name was found for a file to restore");
}

/** Deletes a file of the trash for good. */
export async function purgeFile(db: Db, ownerId: string, fileId: string, now: Date): Promise<true | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  return emitOnFault("db_delete_file_error", db, { type: "file", id: fileId }, async () => {
    const _id = new ObjectId(fileId);
    // From here on it cannot be restored, and what a crash leaves is overdue.
    const { matchedCount } = await db.files.updateOne(
      { _id, ...trashed(ownerId) },
      { $set: { expires_at: now } },
    );
    if (matchedCount === 0) return notFound;
    await freeBytes(db, ownerId, now, async (free) => free(await removeWhole(db, ownerId, _id)));
    return true;
  });
}

/** The record last: it stands as long as anything of the file does. Answers how many bytes of text went. */
export async function removeWhole(db: Db, user_id: string, _id: ObjectId): Promise<number> {
  const bytes = await removeFileParts(db, _id);
  await db.files.deleteOne({ _id, user_id, deleted_at: { $gt: EPOCH } });
  return bytes;
}

/** Deletes for good all that is in the trash at this moment. */
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
