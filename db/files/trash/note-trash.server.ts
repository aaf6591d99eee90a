import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { NOTE_BYTES } from "#db/files/usage/library-measuring.server.ts";
import { deleteMeasured } from "#db/files/usage/library-usage.server.ts";
import { targetKey } from "#domain/notes/note.ts";

/**
 * The notes of a file follow it through the trash: hidden with it, dated like its texts, restored with it, deleted with it. A
 * note that was deleted by itself keeps its own date.
 */
const toTargetKey = (fileId: ObjectId) => targetKey({ kind: "file", file_id: fileId.toHexString() });
const notesFilter = (fileIds: readonly ObjectId[]) => ({ target: { $in: fileIds.map(toTargetKey) } });

export async function setNotesExpiry(db: Db, fileIds: readonly ObjectId[], expires_at: Date): Promise<void> {
  await db.notes.updateMany({ ...notesFilter(fileIds), deleted_at: null }, { $set: { expires_at } });
}

/** Removes the date of one deletion from the notes that have it. */
export async function resetNotesExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  expires_at: Date,
): Promise<void> {
  await db.notes.updateMany(
    { ...notesFilter(fileIds), deleted_at: null, expires_at },
    { $unset: { expires_at: 1 } },
  );
}

/** Returns the number of deleted bytes. Notes that are hidden with their file do not change during this. */
export async function removeFileNotes(db: Db, fileId: ObjectId): Promise<number> {
  return (await deleteMeasured(db.notes, { target: toTargetKey(fileId) }, NOTE_BYTES)).bytes;
}
