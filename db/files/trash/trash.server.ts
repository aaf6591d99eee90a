import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { TRASH_INDEX, TRASHED } from "#db/files/listing/file-counts.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { isFileId } from "#domain/files/selection.ts";
import { Refusal } from "#domain/refusal.ts";

/**
 * The trash. A file is its record and what hangs on it (`file-parts.server.ts`), and each kind of document has a TTL index, so
 * the store itself empties the trash.
 *
 * The record decides: `deleted_at` hides the file in one write. Then its parts get the date, and only then is the record
 * `expiring`. Coming back goes the other way: the record stops expiring, the others lose the date, the record is seen again. So
 * a crash anywhere leaves a file that is in the trash, whole and restorable, or out of it; a record never goes before the rest.
 * A file that comes back while it is still being dated has the date taken from it again, by the deletion itself or by its upkeep.
 */
export const EPOCH = new Date(0);
export const trashed = (ownerId: string) => ({ user_id: ownerId, ...TRASHED });

type TrashedFile = FileRecord & { deleted_at: Date; expires_at: Date };
/** The filters of the trash ask for both dates. */
const toTrashedFile = (doc: FileDoc) => toFile(doc) as TrashedFile;

/** Not overdue, and not being imported: an unfinished import looks like a deleted file. */
export const restorable = (now: Date) => ({ expires_at: { $gt: now }, importing: { $exists: false } });

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
