import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readFileProperties } from "#db/dav/dav-properties.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findNamedDoc } from "#db/files/file-names.server.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { living } from "#db/files/living-files.server.ts";
import type { DeadProperty } from "#domain/files/dead-property.ts";
import { lastItem } from "#domain/required.ts";

/** A file with its client properties, and its modification time by the clock of the client. */
export type DavFile = { file: FileRecord; properties: readonly DeadProperty[]; modified: Date };

function toDavFile(doc: FileDoc): DavFile {
  const { client_modified, version, updated_at } = doc;
  const modified = client_modified?.version === version ? client_modified.at : updated_at;
  return { file: toFile(doc), properties: readFileProperties(doc), modified };
}

export async function setClientModified(
  db: Db,
  ownerId: string,
  { id, version }: Pick<FileRecord, "id" | "version">,
  at: Date,
): Promise<void> {
  const file = { _id: new ObjectId(id), ...living(ownerId), version };
  await db.files.updateOne(file, { $set: { client_modified: { version, at } } });
}

export async function findDavFile(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  file_name: string,
): Promise<DavFile | null> {
  const doc = await findNamedDoc(db, ownerId, file_name, folder_id);
  return doc && toDavFile(doc);
}

const FILES_AT_ONCE = 1_000;

/** Yields pages of the files directly in a folder or at the root, ordered by name. */
export async function* listDavFiles(
  db: Db,
  ownerId: string,
  folder_id: string | null,
): AsyncGenerator<DavFile[]> {
  const inFolder = { ...living(ownerId), folder_id };
  for (let after: string | null = null; ; ) {
    const docs: FileDoc[] = await db.files
      .find(after === null ? inFolder : { ...inFolder, file_name: { $gt: after } }, { hint: "living_name" })
      .sort({ file_name: 1 })
      .limit(FILES_AT_ONCE)
      .toArray();
    yield docs.map(toDavFile);
    if (docs.length < FILES_AT_ONCE) return;
    after = lastItem(docs).file_name;
  }
}
