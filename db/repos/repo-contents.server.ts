import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { keyRange } from "#db/segments/segments.server.ts";

export const textKey = (repoId: ObjectId, blob: string) => `${repoId.toHexString()}:${blob}`;

export async function removeRepoContents(db: Db, repoId: ObjectId): Promise<void> {
  const filter = { repo_id: repoId };
  await db.repo_files.deleteMany(filter);
  await db.repo_folders.deleteMany(filter);
  await db.repo_texts.deleteMany(filter);
  await db.repo_renames.deleteMany(filter);
  await db.repo_commits.deleteMany(filter);
  await db.repo_analyses.deleteOne({ _id: repoId });
  const indexRange = keyRange(indexOwner(repoId));
  await db.search_segments.deleteMany(indexRange);
  await db.search_chunks.deleteMany(indexRange);
  await db.search_numbers.deleteOne({ _id: indexOwner(repoId) });
}

/** Removes the remains of a mirror without a record; false if it has a record. */
export async function removeOrphanedContents(db: Db, repoId: string): Promise<boolean> {
  const _id = new ObjectId(repoId);
  if (await db.repos.findOne({ _id }, { projection: { _id: 1 } })) return false;
  await removeRepoContents(db, _id);
  return true;
}
