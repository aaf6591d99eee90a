import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { type IndexState, listIndexes, toIndexState } from "#db/core/indexes/index-builds.ts";
import { readInPages } from "#db/core/pages.ts";
import { splitIntoPortions } from "#db/core/portions.ts";
import type { VersionDoc } from "#db/files/documents.ts";
import { removePartsWithoutOwner, resetFilePartsExpiry } from "#db/files/file-parts.server.ts";
import { FILE_INDEXES } from "#db/files/indexes.ts";
import { cutOff, dateTrashedFile, type TrashedFileDoc } from "#db/files/trash/file-deletion.server.ts";
import { removeFileAndParts } from "#db/files/trash/file-removal.server.ts";
import { lastItem, required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";

/** Checks that the store empties the trash, and removes what it cannot remove by itself. */
const EXPIRING = ["files", "file_versions", "file_bodies"] as const;

/** Returns the worst state among the TTL indexes of the trash. Throws if it cannot be checked. */
export async function checkTrashExpiry(db: Db): Promise<IndexState> {
  const states = await Promise.all(
    EXPIRING.map(async (name) => {
      const spec = FILE_INDEXES[name].find((index) => index.name === "bin_expiry");
      return toIndexState(required(spec), await listIndexes(db[name]));
    }),
  );
  return states.find((state) => state !== "present") ?? "present";
}

/** Reported at every start of the web process, because without the index nothing in the trash is deleted. */
const TRASH_INDEX_RESOURCE = { type: "index", id: "files.bin_expiry" };

export async function reportMissingTrashIndex(db: Db): Promise<IndexState> {
  const state = await checkTrashExpiry(db);
  if (state !== "present")
    db.emit("db_recycle_bin_ttl_index_missing", { state, resource: TRASH_INDEX_RESOURCE });
  return state;
}

/** Removes overdue files whose deletion or restoring was interrupted, because their records do not expire by themselves. */
export async function finishDeletions(db: Db, now: Date): Promise<number> {
  const interrupted = await db.files
    .find({ expiring: false, expires_at: { $gt: new Date(0), $lt: now } }, { hint: "bin_dates" })
    .project<{ _id: ObjectId; user_id: string }>({ user_id: 1 })
    .sort({ expires_at: 1 })
    .toArray();
  for (const { _id, user_id } of interrupted) await removeFileAndParts(db, user_id, _id);
  return interrupted.length;
}

/** Longer than any request that deletes or restores files. */
const CUT_OFF_AFTER_MS = HOUR_MS;

/** Dates files in the trash with an undated part, after an interrupted deletion or restoring. */
export async function dateInterruptedDeletions(db: Db, now: Date): Promise<number> {
  const deletedBefore = new Date(now.getTime() - CUT_OFF_AFTER_MS);
  const interrupted = await db.files
    .find({ ...cutOff(now), deleted_at: { $lt: deletedBefore } })
    .project<TrashedFileDoc>({ user_id: 1, deleted_at: 1, expires_at: 1 })
    .sort({ expires_at: 1 })
    .toArray();
  for (const file of interrupted) await dateTrashedFile(db, file);
  return interrupted.length;
}

/**
 * Removes the date from files outside the trash that have one, after a deletion that was interrupted when its file had been
 * restored. Every date is at least a day ahead, so this happens in time.
 */
export async function resetLivingFilesExpiry(db: Db): Promise<number> {
  const dates = new Map<string, Date[]>();
  const datedVersions = readInPages<VersionDoc, { file_id: ObjectId; expires_at: Date }>(db.file_versions, {
    filter: { expires_at: { $gt: new Date(0) } },
    order: { expires_at: 1, _id: 1 },
    projection: { file_id: 1 },
    pageSize: DATED_PAGE_SIZE,
  });
  for await (const { file_id, expires_at } of datedVersions) {
    const knownDates = dates.get(file_id.toHexString()) ?? [];
    if (knownDates.some((date) => date.getTime() === expires_at.getTime())) continue;
    dates.set(file_id.toHexString(), [...knownDates, expires_at]);
  }
  const livingIds = await filterLivingFileIds(db, [...dates.keys()]);
  for (const id of livingIds)
    for (const date of dates.get(id) ?? []) await resetFilePartsExpiry(db, [new ObjectId(id)], date);
  return livingIds.length;
}

async function filterLivingFileIds(db: Db, fileIds: string[]): Promise<string[]> {
  const livingIds: string[] = [];
  for (const portion of splitIntoPortions(fileIds, PAGE_SIZE)) {
    const _id = { $in: portion.map((id) => new ObjectId(id)) };
    const docs = await db.files
      .find({ _id, deleted_at: null })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .toArray();
    livingIds.push(...docs.map(({ _id }) => _id.toHexString()));
  }
  return livingIds;
}

/** The position of the search for leftovers in each collection; null to start from the beginning. */
export type LeftoverPlace = { version: string | null; body: string | null };
type Leftovers = { looked: number; removed: number; next: LeftoverPlace };

const PAGE_SIZE = 500;
const DATED_PAGE_SIZE = 2_000;
const IDS_MAX = 5_000;
/** A file whose first save began this long ago has its record, or will never get it. */
const SAVED_AFTER_MS = DAY_MS;

/** Removes texts and versions without a file, which an interrupted first save left. Checks a limited number and returns the next position. */
export async function removeLeftovers(
  db: Db,
  from: LeftoverPlace,
  now: Date,
  maxIds = IDS_MAX,
): Promise<Leftovers> {
  const counts = { looked: 0, removed: 0 };
  const removeInPages = async (start: string | null, read: (after: string | null) => Promise<string[]>) => {
    let position = start;
    for (let readCount = 0; readCount < maxIds; readCount += PAGE_SIZE) {
      const fileIds = await read(position);
      counts.looked += fileIds.length;
      counts.removed += await removeOrphanedParts(db, [...new Set(fileIds)], now);
      if (fileIds.length < PAGE_SIZE) return null;
      position = lastItem(fileIds);
    }
    return position;
  };
  const version = await removeInPages(from.version, (after) => listVersionFileIds(db, after));
  const body = await removeInPages(from.body, (after) => listBodyFileIds(db, after));
  return { ...counts, next: { version, body } };
}

async function listVersionFileIds(db: Db, after: string | null): Promise<string[]> {
  const docs = await db.file_versions
    .find(after ? { file_id: { $gt: new ObjectId(after) } } : {})
    .project<{ file_id: ObjectId }>({ _id: 0, file_id: 1 })
    .sort({ file_id: 1, version: -1 })
    .limit(PAGE_SIZE)
    .toArray();
  return docs.map(({ file_id }) => file_id.toHexString());
}

async function listBodyFileIds(db: Db, after: string | null): Promise<string[]> {
  const docs = await db.file_bodies
    .find({ _id: { $gte: after ? `${after};` : "" } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(PAGE_SIZE)
    .toArray();
  return docs.map(({ _id }) => _id.slice(0, _id.indexOf(":")));
}

async function removeOrphanedParts(db: Db, fileIds: string[], now: Date): Promise<number> {
  const ids = fileIds.map((id) => new ObjectId(id));
  const oldIds = ids.filter((id) => now.getTime() - id.getTimestamp().getTime() > SAVED_AFTER_MS);
  const files = await db.files
    .find({ _id: { $in: oldIds } })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const existingIds = new Set(files.map(({ _id }) => _id.toHexString()));
  const orphanIds = oldIds.filter((id) => !existingIds.has(id.toHexString()));
  if (orphanIds.length > 0) await removePartsWithoutOwner(db, orphanIds);
  return orphanIds.length;
}
