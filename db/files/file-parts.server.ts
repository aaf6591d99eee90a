import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { CollectionName, DocumentIn } from "#db/collections.ts";
import { removeFileNotes, resetNotesExpiry, setNotesExpiry } from "#db/files/trash/note-trash.server.ts";
import {
  removeFileRunResults,
  resetRunResultsExpiry,
  setRunResultsExpiry,
} from "#db/files/trash/run-result-trash.server.ts";
import { removeFileShares, resetSharesExpiry, setSharesExpiry } from "#db/files/trash/share-trash.server.ts";
import { VERSION_BYTES } from "#db/files/usage/library-measuring.server.ts";
import { deleteMeasured } from "#db/files/usage/library-usage.server.ts";
import { hideReminders, removeRemindersOfFile, revealReminders } from "#db/reminders/reminders.server.ts";

/**
 * The parts of a file besides its record, a row for each collection. Trash, restore, purge, their upkeep and the deletion of
 * accounts read this table, and the types of the export check against it. A collection whose documents have a `file_id` does
 * not compile without a row. Versions come first: a part is dated before the parts below it and removed after them, so that
 * upkeep finds a file whose deletion or restoring was interrupted by its versions.
 */
type OnFile = (db: Db, fileId: ObjectId) => Promise<number>;
type OnFiles = (db: Db, fileIds: readonly ObjectId[]) => Promise<unknown>;
type OnDeletion = (db: Db, fileIds: readonly ObjectId[], expiresAt: Date) => Promise<unknown>;

type FilePart = {
  /** The files go to the trash: the part is hidden until this date and then deleted. */
  date: OnDeletion;
  /** The files are restored: removes the date of one deletion from the part. */
  undate: OnDeletion;
  /** The file is deleted for good. Returns how many bytes of its owner's library were deleted. */
  remove: OnFile;
  /** The account is deleted: the part is found by its owner, or removed with a batch of files. */
  removeWithOwner: "by_owner" | OnFiles;
  /** In an export: within the record of its file, as records of its own, or not at all. */
  exported: "in_file" | "as_records" | "never";
};

type NamesFile<Name extends CollectionName> = string extends keyof DocumentIn<Name>
  ? false
  : "file_id" extends keyof DocumentIn<Name>
    ? true
    : false;
type NamingFiles = { [Name in CollectionName]: NamesFile<Name> extends true ? Name : never }[CollectionName];

/** Events about a file report its past, independent of its present; texts and shares name their files in other ways. */
type FilePartName = Exclude<NamingFiles, "push_events"> | "file_bodies" | "shares";

/** For parts that do not count towards their owner's bytes. */
function toUnmeasuredRemoval(remove: (db: Db, fileId: ObjectId) => Promise<unknown>): OnFile {
  return async (db, fileId) => {
    await remove(db, fileId);
    return 0;
  };
}

/** The keys of a file's texts begin with its id and a colon; the semicolon is the character after it. */
function bodiesFilter(fileId: ObjectId) {
  const hex = fileId.toHexString();
  return { _id: { $gte: `${hex}:`, $lt: `${hex};` } };
}

export const FILE_PARTS = {
  file_versions: {
    date: (db, fileIds, expires_at) =>
      db.file_versions.updateMany({ file_id: { $in: [...fileIds] } }, { $set: { expires_at } }),
    undate: (db, fileIds, expires_at) =>
      db.file_versions.updateMany(
        { file_id: { $in: [...fileIds] }, expires_at },
        { $unset: { expires_at: 1 } },
      ),
    remove: async (db, file_id) => (await deleteMeasured(db.file_versions, { file_id }, VERSION_BYTES)).bytes,
    removeWithOwner: (db, fileIds) => db.file_versions.deleteMany({ file_id: { $in: [...fileIds] } }),
    exported: "in_file",
  },
  file_bodies: {
    date: (db, fileIds, expires_at) =>
      db.file_bodies.bulkWrite(
        fileIds.map((id) => ({
          updateMany: { filter: bodiesFilter(id), update: { $set: { expires_at } } },
        })),
      ),
    undate: (db, fileIds, expires_at) =>
      db.file_bodies.bulkWrite(
        fileIds.map((id) => ({
          updateMany: {
            filter: { ...bodiesFilter(id), expires_at },
            update: { $unset: { expires_at: 1 } },
          },
        })),
      ),
    remove: toUnmeasuredRemoval((db, fileId) => db.file_bodies.deleteMany(bodiesFilter(fileId))),
    removeWithOwner: (db, fileIds) =>
      db.file_bodies.bulkWrite(fileIds.map((id) => ({ deleteMany: { filter: bodiesFilter(id) } }))),
    exported: "in_file",
  },
  notes: {
    date: setNotesExpiry,
    undate: resetNotesExpiry,
    remove: removeFileNotes,
    removeWithOwner: "by_owner",
    exported: "as_records",
  },
  reminders: {
    date: hideReminders,
    undate: revealReminders,
    remove: toUnmeasuredRemoval(removeRemindersOfFile),
    removeWithOwner: "by_owner",
    exported: "as_records",
  },
  run_results: {
    date: setRunResultsExpiry,
    undate: resetRunResultsExpiry,
    remove: removeFileRunResults,
    removeWithOwner: "by_owner",
    exported: "never",
  },
  shares: {
    date: setSharesExpiry,
    undate: resetSharesExpiry,
    remove: toUnmeasuredRemoval(removeFileShares),
    removeWithOwner: "by_owner",
    exported: "never",
  },
} as const satisfies Record<FilePartName, FilePart>;

/** The parts that an export contains as records of their own. */
export type ExportedPart = {
  [Name in FilePartName]: (typeof FILE_PARTS)[Name]["exported"] extends "as_records" ? Name : never;
}[FilePartName];

const PARTS: readonly FilePart[] = Object.values(FILE_PARTS);
const LAST_FIRST = PARTS.toReversed();

export async function setFilePartsExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  expiresAt: Date,
): Promise<void> {
  if (fileIds.length > 0) for (const { date } of PARTS) await date(db, fileIds, expiresAt);
}

export async function resetFilePartsExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  expiresAt: Date,
): Promise<void> {
  if (fileIds.length > 0) for (const { undate } of LAST_FIRST) await undate(db, fileIds, expiresAt);
}

export async function removeFileParts(db: Db, fileId: ObjectId): Promise<number> {
  let bytes = 0;
  for (const { remove } of LAST_FIRST) bytes += await remove(db, fileId);
  return bytes;
}

/** Removes the parts that the deletion of an account does not find by owner. */
export async function removePartsWithoutOwner(db: Db, fileIds: readonly ObjectId[]): Promise<void> {
  for (const { removeWithOwner } of LAST_FIRST)
    if (removeWithOwner !== "by_owner") await removeWithOwner(db, fileIds);
}
