/**
 * Takes an owner whose index was kept in the form before segments over to them, some files at a time. Until the last file is there, a search
 * looks through everything that it may answer, so nothing is missing meanwhile; cut off, it goes on where it was.
 */
import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { indexedRepo } from "#db/repos/repo-contents.server.ts";
import { indexRepoFilesAnew } from "#db/repos/repo-manifest.server.ts";
import type { SearchNumberDoc } from "#db/search/documents.ts";
import { indexMarked } from "#db/search/search-index.server.ts";
import { INDEX_FORMAT, keyRange } from "#db/search/segments.server.ts";

const AT_ONCE = 100;

/** Owners whose files are not all in segments. */
export async function listOwnersToUpgrade(db: Db): Promise<SearchNumberDoc[]> {
  return db.search_numbers
    .find({ format: { $exists: false } })
    .sort({ _id: 1 })
    .toArray();
}

/** Answers how many files were taken over, all of them where it was not ended before. */
export async function upgradeIndex(db: Db, owner: SearchNumberDoc, signal?: AbortSignal): Promise<number> {
  const { _id: ownerId, last } = owner;
  const upTo = owner.upgrade_up_to ?? last;
  await db.search_numbers.updateOne({ _id: ownerId }, { $set: { upgrade_up_to: upTo } });
  const repoId = indexedRepo(ownerId);
  let taken = 0;
  for (;;) {
    if (signal?.aborted) return taken;
    const count = repoId ? await upgradeRepoFiles(db, repoId, upTo) : await upgradeFiles(db, ownerId, upTo);
    taken += count;
    if (count === 0) break;
  }
  await db.search_numbers.updateOne(
    { _id: ownerId },
    { $set: { format: INDEX_FORMAT }, $unset: { upgrade_up_to: "" } },
  );
  await db.postings.deleteMany(keyRange(ownerId));
  return taken;
}

async function upgradeFiles(db: Db, ownerId: string, upTo: number): Promise<number> {
  const old = { user_id: ownerId, n: { $gte: 0, $lte: upTo } };
  const files = await db.files
    .find(old)
    .sort({ n: 1 })
    .limit(AT_ONCE)
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const ids = files.map(({ _id }) => _id);
  await db.files.updateMany(
    { ...old, _id: { $in: ids }, unindexed: { $exists: false } },
    { $set: { unindexed: "format" } },
  );
  await indexMarked(
    db,
    ownerId,
    ids.map((id) => id.toHexString()),
  );
  // A file without a text has no number of its own any more.
  await db.files.updateMany({ ...old, _id: { $in: ids } }, { $unset: { n: "" } });
  return ids.length;
}

async function upgradeRepoFiles(db: Db, repoId: ObjectId, upTo: number): Promise<number> {
  const files = await db.repo_files
    .find({ repo_id: repoId, n: { $gte: 0, $lte: upTo } })
    .sort({ n: 1 })
    .limit(AT_ONCE)
    .toArray();
  await indexRepoFilesAnew(db, files);
  return files.length;
}
