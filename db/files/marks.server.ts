import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { type FileRecord, findFile, toFile } from "#db/files/file-records.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { PINS_MAX } from "#domain/files/marks.ts";
import { isFileId } from "#domain/files/selection.ts";
import { Refusal } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** A person's marks of a file: favorite, pin and last opening. They do not change the file's text. */
export async function toggleFavorite(db: Db, ownerId: string, fileId: string): Promise<FileRecord | Refusal> {
  const notFound = Refusal("file_not_found", { file_id: fileId });
  if (!isFileId(fileId)) return notFound;
  const doc = await db.files.findOneAndUpdate(
    { _id: new ObjectId(fileId), ...living(ownerId) },
    [{ $set: { is_favorite: { $not: ["$is_favorite"] } } }],
    { returnDocument: "after" },
  );
  db.preferred?.forget(ownerId);
  return doc ? toFile(doc) : notFound;
}

export async function togglePin(db: Db, ownerId: string, fileId: string): Promise<FileRecord | Refusal> {
  const file = await findFile(db, ownerId, fileId);
  if (!file) return Refusal("file_not_found", { file_id: fileId });
  return file.is_pinned ? unpinFile(db, ownerId, fileId) : pinFile(db, ownerId, fileId);
}

/**
 * Takes the first free pin slot of a person. The unique index on the slot decides: of any number of simultaneous pins, no more
 * succeed than there are slots.
 */
export async function pinFile(db: Db, ownerId: string, fileId: string): Promise<FileRecord | Refusal> {
  const _id = new ObjectId(fileId);
  for (let slot = 0; slot < PINS_MAX; slot += 1) {
    try {
      const doc = await db.files.findOneAndUpdate(
        { _id, ...living(ownerId), is_pinned: false },
        { $set: { is_pinned: true, pin_slot: slot } },
        { returnDocument: "after" },
      );
      db.preferred?.forget(ownerId);
      if (doc) return toFile(doc);
      return (await findFile(db, ownerId, fileId)) ?? Refusal("file_not_found", { file_id: fileId });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return Refusal("pin_limit", { max: PINS_MAX });
}

async function unpinFile(db: Db, ownerId: string, fileId: string): Promise<FileRecord | Refusal> {
  const doc = await db.files.findOneAndUpdate(
    { _id: new ObjectId(fileId), ...living(ownerId) },
    { $set: { is_pinned: false }, $unset: { pin_slot: 1 } },
    { returnDocument: "after" },
  );
  db.preferred?.forget(ownerId);
  return doc ? toFile(doc) : Refusal("file_not_found", { file_id: fileId });
}

export async function listPinnedFiles(db: Db, ownerId: string): Promise<FileRecord[]> {
  const docs = await db.files
    .find({ user_id: ownerId, pin_slot: { $gte: 0 } })
    .sort({ pin_slot: 1 })
    .toArray();
  return docs.map(toFile);
}

const OPENED_EVERY_MS = MINUTE_MS;

/** Records that a file was opened, at most once a minute. */
export async function recordFileOpening(db: Db, ownerId: string, file: FileRecord, now: Date): Promise<void> {
  const { last_opened_at } = file;
  if (db.writing.isPaused()) return;
  if (last_opened_at && now.getTime() - last_opened_at.getTime() < OPENED_EVERY_MS) return;
  await db.files.updateOne(
    { _id: new ObjectId(file.id), ...living(ownerId), last_opened_at },
    { $set: { last_opened_at: now } },
  );
  db.preferred?.forget(ownerId);
}
