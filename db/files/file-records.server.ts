import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { findNamedDoc } from "#db/files/file-names.server.ts";
import { findBodyCached } from "#db/files/file-versions.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { NO_DETAILS } from "#domain/files/file-details.ts";
import { isFileId } from "#domain/files/selection.ts";

export type FileRecord = Omit<
  FileDoc,
  | "_id"
  | "last_version"
  | "name_order"
  | "tag_keys"
  | "pin_slot"
  | "expiring"
  | "importing"
  | "dead_properties"
  | "client_modified"
  | "n"
  | "unindexed"
  | "folder_id"
> & { id: string; folder_id: string | null };

export function toFile({
  _id,
  last_version: _,
  name_order: _o,
  tag_keys: _t,
  pin_slot: __,
  expiring: ___,
  importing: _i,
  dead_properties: _d,
  client_modified: _c,
  n: _n,
  unindexed: _u,
  ...file
}: FileDoc): FileRecord {
  // Documents from before a detail existed lack it.
  return { id: _id.toHexString(), folder_id: null, ...NO_DETAILS, ...file };
}

export async function findFiles(db: Db, ownerId: string, ids: readonly string[]): Promise<FileRecord[]> {
  if (ids.length === 0) return [];
  const _id = { $in: ids.map((id) => new ObjectId(id)) };
  return (await db.files.find({ _id, ...living(ownerId) }).toArray()).map(toFile);
}

export async function findFile(db: Db, ownerId: string, fileId: string): Promise<FileRecord | null> {
  if (!isFileId(fileId)) return null;
  const doc = await db.files.findOne({ _id: new ObjectId(fileId), ...living(ownerId) });
  return doc && toFile(doc);
}

export async function findFileByName(
  db: Db,
  ownerId: string,
  file_name: string,
  folder_id: string | null = null,
): Promise<FileRecord | null> {
  const doc = await findNamedDoc(db, ownerId, file_name, folder_id);
  return doc && toFile(doc);
}

export async function readBody(db: Db, ownerId: string, file: FileRecord): Promise<string> {
  return emitOnFault("db_get_latest_version_error", db, { type: "file", id: file.id }, async () => {
    const body = await findBodyCached(db, ownerId, file);
    if (body === null) throw new Error(`Version ${file.version} of file ${file.id} has no body`);
    return body;
  });
}
