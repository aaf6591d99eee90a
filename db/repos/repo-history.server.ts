/** The history of a mirror: the renames of its files and its last commits. Everything here is safe to repeat. */

import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { splitIntoPortions } from "#db/core/portions.ts";
import type { RepoCommitDoc } from "#db/repos/documents.ts";
import type { Mirror } from "#db/repos/repo-manifest.server.ts";

const WRITES_AT_ONCE = 1_000;

export type Rename = { from: string; to: string };

/** Records renames, and removes those of paths that have a file again. */
export async function putRenames(
  db: Db,
  { _id, user_id }: Mirror,
  renames: readonly Rename[],
  returned: readonly string[],
  { commit, at }: { commit: string; at: Date },
): Promise<void> {
  for (const portion of splitIntoPortions(renames, WRITES_AT_ONCE)) {
    const writes = portion.map(({ from, to }) => ({
      updateOne: {
        filter: { repo_id: _id, from },
        update: { $set: { user_id, to, commit, at }, $setOnInsert: { _id: new ObjectId() } },
        upsert: true,
      },
    }));
    await db.repo_renames.bulkWrite(writes, { ordered: false });
  }
  for (const portion of splitIntoPortions(returned, WRITES_AT_ONCE)) {
    await db.repo_renames.deleteMany({ repo_id: _id, from: { $in: portion } });
  }
}

export type Commit = Pick<RepoCommitDoc, "commit" | "author" | "at" | "subject" | "paths" | "touched">;

/**
 * Puts the newest commits; if the history was rewritten, all others are then deleted. The deletion names the
 * commits that stay, so that a late one, after everything was put again, removes none of them.
 */
export async function putCommits(
  db: Db,
  { _id, user_id }: Mirror,
  commits: readonly Commit[],
  { isRewritten, keep }: { isRewritten: boolean; keep: number },
): Promise<void> {
  const commitKey = (commit: Commit) => `${_id.toHexString()}:${commit.commit}`;
  for (const portion of splitIntoPortions(commits, WRITES_AT_ONCE)) {
    const writes = portion.map((commit) => ({
      replaceOne: {
        filter: { _id: commitKey(commit) },
        replacement: { repo_id: _id, user_id, ...commit },
        upsert: true,
      },
    }));
    await db.repo_commits.bulkWrite(writes, { ordered: false });
  }
  if (isRewritten) await db.repo_commits.deleteMany({ repo_id: _id, _id: { $nin: commits.map(commitKey) } });
  const oldest = await db.repo_commits
    .find({ repo_id: _id })
    .sort({ at: -1, commit: -1 })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const excessIds = oldest.slice(keep).map((doc) => doc._id);
  if (excessIds.length > 0) await db.repo_commits.deleteMany({ _id: { $in: excessIds } });
}
