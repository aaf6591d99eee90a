import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { postingRange } from "#db/search/postings.server.ts";
import type { RepoFileKind } from "#domain/repos/repo.ts";

/** What is kept of a mirror's newest commit, all of it under the mirror's id and its owner's. */
export type RepoFileDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  path: string;
  /** The directory it lies in; the root is empty. */
  dir: string;
  blob: string;
  size: number;
  language: string;
  kind: RepoFileKind;
  /** The number under which the search index names this state of the file. */
  n?: number;
  /** The index does not name this state: it is looked through itself. */
  unindexed?: true;
};

export type RepoFolderDoc = { _id: ObjectId; repo_id: ObjectId; user_id: string; path: string; dir: string };

/** A text by its hash, under `<repo>:<blob>`: files with the same text share it, mirrors do not. */
export type RepoTextDoc = { _id: string; repo_id: ObjectId; user_id: string; text: string };

/** A file that a sync found under another path. */
export type RepoRenameDoc = {
  _id: ObjectId;
  repo_id: ObjectId;
  user_id: string;
  from: string;
  to: string;
  commit: string;
  at: Date;
};

/** One of the newest commits and the paths it touched, under `<repo>:<commit>`. */
export type RepoCommitDoc = {
  _id: string;
  repo_id: ObjectId;
  user_id: string;
  commit: string;
  author: string;
  at: Date;
  subject: string;
  paths: string[];
  /** How many paths it touched, those that are not listed included. */
  touched: number;
};

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
  await db.postings.deleteMany(postingRange(indexOwner(repoId)));
  await db.search_numbers.deleteOne({ _id: indexOwner(repoId) });
}

/** Removes what is left of a mirror that has no record any more; false where it has one. */
export async function removeContentsWithout(db: Db, repoId: string): Promise<boolean> {
  const _id = new ObjectId(repoId);
  if (await db.repos.findOne({ _id }, { projection: { _id: 1 } })) return false;
  await removeRepoContents(db, _id);
  return true;
}
