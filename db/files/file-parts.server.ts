import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { dateRunResults, removeFileRunResults, undateRunResults } from "#db/code-runs/run-results.server.ts";
import type { CollectionName, DocumentIn } from "#db/collections.ts";
import { VERSION_BYTES } from "#db/files/usage/library-measuring.server.ts";
import { deleteMeasured } from "#db/files/usage/library-usage.server.ts";
import { dateNotes, removeFileNotes, undateNotes } from "#db/notes/note-trash.server.ts";
import { hideReminders, removeRemindersOfFile, revealReminders } from "#db/reminders/reminders.server.ts";
import { dateShares, removeFileShares, undateShares } from "#db/shares/share-trash.server.ts";

/**
 * What hangs on a file besides its record, a row for each collection. Trash, restore, purge, their upkeep and the deletion of accounts
 * read this table; the export is held to it by its types. A collection whose documents have a `file_id` and no row here does not compile.
 *
 * The versions stand first, and a part is dated before those below it and removed after them: by its versions upkeep finds a file
 * whose deletion or restoring was cut off.
 */
type OnFile = (db: Db, fileId: ObjectId) => Promise<number>;
type OnFiles = (db: Db, fileIds: readonly ObjectId[]) => Promise<unknown>;
type OnDeletion = (db: Db, fileIds: readonly ObjectId[], expiresAt: Date) => Promise<unknown>;

type FilePart = {
  /** The files go to the trash: from this date on the part is gone, and until then it is not seen. */
  date: OnDeletion;
  /** The files come back: takes the date of one deletion from the part. */
  undate: OnDeletion;
  /** The file goes for good. Answers how many bytes of its owner's library went. */
  remove: OnFile;
  /** The account goes: found by its owner, or removed together with so many files. */
  removeWithOwner: "by_owner" | OnFiles;
  /** The library is exported: within the record of its file, as records of its own, or not at all. */
  exported: "in_file" | "as_records" | "never";
};

type NamesFile<Name extends CollectionName> = string extends keyof DocumentIn<Name>
  ? false
  : "file_id" extends keyof DocumentIn<Name>
    ? true
    : false;
type NamingFiles = { [Name in CollectionName]: NamesFile<Name> extends true ? Name : never }[CollectionName];

/** News about a file tell what happened to it, whatever becomes of it later; texts and shares name their files in other ways. */
type FilePartName = Exclude<NamingFiles, "push_events"> | "file_bodies" | "shares";

/** For what takes no part of its owner's bytes. */
function removeUnmeasured(remove: (db: Db, fileId: ObjectId) => Promise<unknown>): OnFile {
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
    remove: removeUnmeasured((db, fileId) => db.file_bodies.deleteMany(bodiesFilter(fileId))),
    removeWithOwner: (db, fileIds) =>
      db.file_bodies.bulkWrite(fileIds.map((id) => ({ deleteMany: { filter: bodiesFilter(id) } }))),
    exported: "in_file",
  },
  notes: {
    date: dateNotes,
    undate: undateNotes,
    remove: removeFileNotes,
    removeWithOwner: "by_owner",
    exported: "as_records",
  },
  reminders: {
    date: hideReminders,
    undate: revealReminders,
    remove: removeUnmeasured(removeRemindersOfFile),
    removeWithOwner: "by_owner",
    exported: "as_records",
  },
  run_results: {
    date: dateRunResults,
    undate: undateRunResults,
    remove: removeFileRunResults,
    removeWithOwner: "by_owner",
    exported: "never",
  },
  shares: {
    date: dateShares,
    undate: undateShares,
    remove: removeUnmeasured(removeFileShares),
    removeWithOwner: "by_owner",
    exported: "never",
  },
} as const satisfies Record<FilePartName, FilePart>;

/** What an export holds in records of its own kind. */
export type ExportedPart = {
  [Name in FilePartName]: (typeof FILE_PARTS)[Name]["exported"] extends "as_records" ? Name : never;
}[FilePartName];

const PARTS: readonly FilePart[] = Object.values(FILE_PARTS);
const LAST_FIRST = PARTS.toReversed();

export async function dateFileParts(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  if (fileIds.length > 0) for (const { date } of PARTS) await date(db, fileIds, expiresAt);
}

export async function undateFileParts(db: Db, fileIds: readonly ObjectId[], expiresAt: Date): Promise<void> {
  if (fileIds.length > 0) for (const { undate } of LAST_FIRST) await undate(db, fileIds, expiresAt);
}

/** Answers how many bytes of its owner's library went. */
export async function removeFileParts(db: Db, fileId: ObjectId): Promise<number> {
  let bytes = 0;
  for (const { remove } of LAST_FIRST) bytes += await remove(db, fileId);
  return bytes;
}

/** Removes what deleting an account does not find by its owner. */
export async function removePartsOfFiles(db: Db, fileIds: readonly ObjectId[]): Promise<void> {
  for (const { removeWithOwner } of LAST_FIRST)
    if (removeWithOwner !== "by_owner") await removeWithOwner(db, fileIds);
}
