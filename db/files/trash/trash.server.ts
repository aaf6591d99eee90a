import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { TRASH_INDEX, TRASHED } from "#db/files/listing/file-counts.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { isFileId } from "#domain/files/selection.ts";
import { Refusal } from "#domain/refusal.ts";

/**
 * The trash. A file is its record and its parts (`file-parts.server.ts`), and each kind of document has a TTL index, so the store itself
 * empties the trash. `deleted_at` hides the file in one write, then its parts get the date, and only then the record is `expiring`.
 * Restoring reverses this order. So after a crash the file is either in the trash, complete and restorable, or out of it, and no record
 * expires before its parts. If a file is restored while it is still being dated, the deletion itself or upkeep removes the date again.
 */
export const EPOCH = new Date(0);
export const trashed = (ownerId: string) => ({ user_id: ownerId, ...TRASHED });

type TrashedFile = FileRecord & { deleted_at: Date; expires_at: Date };
/** The filters of the trash require both dates. */
const toTrashedFile = (doc: FileDoc) => toFile(doc) as TrashedFile;

/** Not overdue and not being imported, because an unfinished import looks like a deleted file. */
export const restorable = (now: Date) => ({ expires_at: { $gt: now }, importing: { $exists: false } });

type TrashPage = { files: TrashedFile[]; next_cursor: string | null };

type FilesOfDeletion = { deleted_at: Date; folderIds: readonly string[] };

/** Lists the trash, latest deletion first; files that are listed as a folder can be left out. */
export async function listTrash(
  db: Db,
  ownerId: string,
  { cursor, limit, without = [] }: { cursor?: string; limit: number; without?: readonly FilesOfDeletion[] },
): Promise<TrashPage | Refusal> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  if (after === null) return Refusal("invalid_cursor");
  const moment = after && new Date(after.createdAtMs);
  const cursorFilter = after && moment ? { deleted_at: { $gt: EPOCH, $lte: moment } } : {};
  const cursorExclusions =
    after && moment ? [{ deleted_at: moment, _id: { $gte: new ObjectId(after.id) } }] : [];
  const folderExclusions = without.map(({ deleted_at, folderIds }) => ({
    deleted_at,
    folder_id: { $in: [...folderIds] },
  }));
  const nor = [...cursorExclusions, ...folderExclusions];
  const docs = await db.files
    .find(
      { ...trashed(ownerId), ...cursorFilter, ...(nor.length > 0 ? { $nor: nor } : {}) },
      { hint: TRASH_INDEX },
    )
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
