import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";

/** What one saving of a file was. Its text is kept apart, in `file_bodies`, so that lists never load it. */
export type VersionDoc = {
  _id: ObjectId;
  file_id: ObjectId;
  user_id: string;
  version: number;
  file_name: string;
  language: string;
  size_bytes: number;
  lines: number;
  created_at: Date;
};

/** Keyed by file and version: a body is written once and read by its key alone. */
export type BodyDoc = { _id: string; user_id: string; body: string };

const bodyKey = (fileId: ObjectId, version: number) => `${fileId.toHexString()}:${version}`;

/** The text first, then the record that names it: a version that can be seen can be read. */
export async function createVersion(db: Db, version: VersionDoc, body: string): Promise<void> {
  await db.file_bodies.insertOne({
    _id: bodyKey(version.file_id, version.version),
    user_id: version.user_id,
    body,
  });
  await db.file_versions.insertOne(version);
}

export async function removeVersion(db: Db, fileId: ObjectId, version: number): Promise<void> {
  await db.file_versions.deleteOne({ file_id: fileId, version });
  await db.file_bodies.deleteOne({ _id: bodyKey(fileId, version) });
}

export async function findBody(
  db: Db,
  ownerId: string,
  fileId: ObjectId,
  version: number,
): Promise<string | null> {
  const doc = await db.file_bodies.findOne({ _id: bodyKey(fileId, version), user_id: ownerId });
  return doc?.body ?? null;
}
