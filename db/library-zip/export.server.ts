import type { Collection, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { asFilter } from "#db/core/driver/driver-types.ts";
import { splitIntoPortions } from "#db/core/portions.ts";
import type { FileDoc, VersionDoc } from "#db/files/documents.ts";
import { findBody } from "#db/files/file-versions.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";

/**
 * Reads all data of a person in portions. The ids at the beginning decide the contents: a document that is deleted for good
 * during the export is missing, and none is read incompletely.
 */
const PORTION_SIZE = 100;

type Owned = { _id: ObjectId; user_id: string };

async function* readOwnedDocs<Doc extends Owned>(
  collection: Collection<Doc>,
  ownerId: string,
  ids: readonly ObjectId[],
): AsyncGenerator<Doc> {
  for (const portion of splitIntoPortions(ids, PORTION_SIZE)) {
    const filter = asFilter<Doc>({ _id: { $in: portion }, user_id: ownerId });
    yield* await collection.find<Doc>(filter).sort({ _id: 1 }).toArray();
  }
}

async function listOwnedIds<Doc extends Owned>(
  collection: Collection<Doc>,
  ownerId: string,
): Promise<ObjectId[]> {
  const docs = await collection
    .find(asFilter<Doc>({ user_id: ownerId }))
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  return docs.map(({ _id }) => _id).sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
}

export async function listFileNames(db: Db, ownerId: string): Promise<NamedFile[]> {
  return db.files
    .find({ user_id: ownerId, importing: { $exists: false } })
    .project<NamedFile>({ _id: 1, file_name: 1, folder_id: 1 })
    .toArray();
}

type NamedFile = Pick<FileDoc, "_id" | "file_name" | "folder_id">;

export type ExportedFile = { file: FileDoc; versions: VersionDoc[] };

/** Yields all files, also those in the trash, each with its versions up to the shown one, first version first. */
export async function* exportFiles(
  db: Db,
  ownerId: string,
  ids: readonly ObjectId[],
): AsyncGenerator<ExportedFile> {
  for await (const file of readOwnedDocs(db.files, ownerId, ids)) {
    const versions = await db.file_versions
      .find({ file_id: file._id, version: { $lte: file.version }, user_id: ownerId })
      .sort({ version: -1 })
      .toArray();
    if (versions.some(({ version }) => version === file.version))
      yield { file, versions: versions.toReversed() };
  }
}

export const exportBody = (db: Db, ownerId: string, version: VersionDoc) =>
  findBody(db, ownerId, version.file_id, version.version);

export async function* exportNotes(db: Db, ownerId: string): AsyncGenerator<NoteDoc> {
  yield* readOwnedDocs(db.notes, ownerId, await listOwnedIds(db.notes, ownerId));
}

export async function* exportReminders(db: Db, ownerId: string): AsyncGenerator<ReminderDoc> {
  yield* readOwnedDocs(db.reminders, ownerId, await listOwnedIds(db.reminders, ownerId));
}
