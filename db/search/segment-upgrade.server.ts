/**
 * Upgrades an owner's index from the form before segments, some files at a time. Until the last file is done, searches read
 * every possible file, so nothing is missing in between; after an interruption the upgrade continues.
 */
import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { indexedRepo } from "#db/repos/repo-contents.server.ts";
import { reindexRepoFiles } from "#db/repos/repo-manifest.server.ts";
import type { SearchNumberDoc } from "#db/search/documents.ts";
import { indexMarked } from "#db/search/search-index.server.ts";
import { INDEX_FORMAT, keyRange } from "#db/search/segments.server.ts";

const BATCH_SIZE = 100;

/** Lists owners whose files are not all in segments. */
export async function listOwnersToUpgrade(db: Db): Promise<SearchNumberDoc[]> {
  return db.search_numbers
    .find({ format: { $exists: false } })
    .sort({ _id: 1 })
    .toArray();
}

/** Returns the number of upgraded files; all of them unless it was aborted. */
export async function upgradeIndex(db: Db, owner: SearchNumberDoc, signal?: AbortSignal): Promise<number> {
  const { _id: ownerId, last } = owner;
  const upTo = owner.upgrade_up_to ?? last;
  await db.search_numbers.updateOne({ _id: ownerId }, { $set: { upgrade_up_to: upTo } });
  const repoId = indexedRepo(ownerId);
  let upgradedCount = 0;
  for (;;) {
    if (signal?.aborted) return upgradedCount;
    const count = repoId ? await upgradeRepoFiles(db, repoId, upTo) : await upgradeFiles(db, ownerId, upTo);
    upgradedCount += count;
    if (count === 0) break;
  }
  await db.search_numbers.updateOne(
    { _id: ownerId },
    { $set: { format: INDEX_FORMAT }, $unset: { upgrade_up_to: "" } },
  );
  await db.postings.deleteMany(keyRange(ownerId));
  return upgradedCount;
}

async function upgradeFiles(db: Db, ownerId: string, upTo: number): Promise<number> {
  const filter = { user_id: ownerId, n: { $gte: 0, $lte: upTo } };
  const files = await db.files
    .find(filter)
    .sort({ n: 1 })
    .limit(BATCH_SIZE)
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const ids = files.map(({ _id }) => _id);
  await db.files.updateMany(
    { ...filter, _id: { $in: ids }, unindexed: { $exists: false } },
    { $set: { unindexed: "format" } },
  );
  await indexMarked(
    db,
    ownerId,
    ids.map((id) => id.toHexString()),
  );
  // A file without a text no longer has a number.
  await db.files.updateMany({ ...filter, _id: { $in: ids } }, { $unset: { n: "" } });
  return ids.length;
}

async function upgradeRepoFiles(db: Db, repoId: ObjectId, upTo: number): Promise<number> {
  const files = await db.repo_files
    .find({ repo_id: repoId, n: { $gte: 0, $lte: upTo } })
    .sort({ n: 1 })
    .limit(BATCH_SIZE)
    .toArray();
  await reindexRepoFiles(db, files);
  return files.length;
}
