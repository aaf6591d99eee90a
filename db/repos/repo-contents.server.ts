import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { keyRange } from "#db/search/segments.server.ts";

export const textKey = (repoId: ObjectId, blob: string) => `${repoId.toHexString()}:${blob}`;
/** The owner under whose name the search index keeps a mirror. No person's id begins with a letter. */
export const indexOwner = (repoId: ObjectId) => `r${repoId.toHexString()}`;

/** The mirror that an owner in the search index stands for; null where it is a person. */
export function indexedRepo(ownerId: string): ObjectId | null {
  return ownerId.startsWith("r") ? new ObjectId(ownerId.slice(1)) : null;
}

/** Everything of a mirror but its record. */
export async function removeRepoContents(db: Db, repoId: ObjectId): Promise<void> {
  const ofRepo = { repo_id: repoId };
  await db.repo_files.deleteMany(ofRepo);
  await db.repo_folders.deleteMany(ofRepo);
  await db.repo_texts.deleteMany(ofRepo);
  await db.repo_renames.deleteMany(ofRepo);
  await db.repo_commits.deleteMany(ofRepo);
  await db.repo_analyses.deleteOne({ _id: repoId });
  const indexed = keyRange(indexOwner(repoId));
  await db.search_segments.deleteMany(indexed);
  await db.search_chunks.deleteMany(indexed);
  await db.postings.deleteMany(indexed);
  await db.search_numbers.deleteOne({ _id: indexOwner(repoId) });
}

/** Removes what is left of a mirror that has no record any more; false where it has one. */
export async function removeContentsWithout(db: Db, repoId: string): Promise<boolean> {
  const _id = new ObjectId(repoId);
  if (await db.repos.findOne({ _id }, { projection: { _id: 1 } })) return false;
  await removeRepoContents(db, _id);
  return true;
}
