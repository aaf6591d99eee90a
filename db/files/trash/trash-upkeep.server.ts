import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { VersionDoc } from "#db/files/documents.ts";
import { removePartsOfFiles, undateFileParts } from "#db/files/file-parts.server.ts";
import { cutOff, dateTrashedFile, type TrashedFileDoc } from "#db/files/trash/file-deletion.server.ts";
import { removeWhole } from "#db/files/trash/file-removal.server.ts";
import { findIndexState, type IndexState } from "#db/indexes/index-builds.ts";
import { readInPages } from "#db/pages.ts";
import { inPortions } from "#db/portions.ts";
import { lastItem } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";

/** Checks that the store empties the trash, and removes what it cannot remove by itself. */
const EXPIRING = ["files", "file_versions", "file_bodies"] as const;

/** The worst state among the TTL indexes of the trash. Throws where it cannot be checked. */
export async function checkTrashExpiry(db: Db): Promise<IndexState> {
  const states = await Promise.all(EXPIRING.map((name) => findIndexState(db[name], name, "bin_expiry")));
  return states.find((state) => state !== "present") ?? "present";
}

/** Told at every start of the web process: without the index nothing in the trash is ever deleted. */
const TRASH_INDEX_RESOURCE = { type: "index", id: "files.bin_expiry" };

export async function announceTrashExpiry(db: Db): Promise<IndexState> {
  const state = await checkTrashExpiry(db);
  if (state !== "present")
    db.emit("db_recycle_bin_ttl_index_missing", { state, resource: TRASH_INDEX_RESOURCE });
  return state;
}

/** Removes overdue files whose deletion or restoring was cut off: their records do not expire by themselves. */
export async function finishDeletions(db: Db, now: Date): Promise<number> {
  const left = await db.files
    .find({ expiring: false, expires_at: { $gt: new Date(0), $lt: now } }, { hint: "bin_dates" })
    .project<{ _id: ObjectId; user_id: string }>({ user_id: 1 })
    .sort({ expires_at: 1 })
    .toArray();
  for (const { _id, user_id } of left) await removeWhole(db, user_id, _id);
  return left.length;
}

/** Longer than any request that deletes or restores files. */
const CUT_OFF_AFTER_MS = HOUR_MS;

/** Dates what lies in the trash without every part of it being dated: a deletion was cut off, or a restoring. */
export async function dateCutOff(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - CUT_OFF_AFTER_MS);
  const left = await db.files
    .find({ ...cutOff(now), deleted_at: { $lt: before } })
    .project<TrashedFileDoc>({ user_id: 1, deleted_at: 1, expires_at: 1 })
    .sort({ expires_at: 1 })
    .toArray();
  for (const file of left) await dateTrashedFile(db, file);
  return left.length;
}

/**
 * Takes the date from living files that have one: what a deletion left that was cut off after its file had come back. Every date
 * lies a day ahead at least, so that this is in time.
 */
export async function undateLiving(db: Db): Promise<number> {
  const dates = new Map<string, Date[]>();
  const dated = readInPages<VersionDoc, { file_id: ObjectId; expires_at: Date }>(db.file_versions, {
    filter: { expires_at: { $gt: new Date(0) } },
    order: { expires_at: 1, _id: 1 },
    projection: { file_id: 1 },
    pageSize: DATED_AT_ONCE,
  });
  for await (const { file_id, expires_at } of dated) {
    const known = dates.get(file_id.toHexString()) ?? [];
    if (known.some((date) => date.getTime() === expires_at.getTime())) continue;
    dates.set(file_id.toHexString(), [...known, expires_at]);
  }
  const living = await livingAmong(db, [...dates.keys()]);
  for (const id of living)
    for (const date of dates.get(id) ?? []) await undateFileParts(db, [new ObjectId(id)], date);
  return living.length;
}

async function livingAmong(db: Db, fileIds: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const portion of inPortions(fileIds, LOOK_AT_ONCE)) {
    const _id = { $in: portion.map((id) => new ObjectId(id)) };
    const docs = await db.files
      .find({ _id, deleted_at: null })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .toArray();
    found.push(...docs.map(({ _id }) => _id.toHexString()));
  }
  return found;
}

/** How far the search for leftovers has come in each collection; null where it begins anew. */
export type LeftoverPlace = { version: string | null; body: string | null };
type Leftovers = { looked: number; removed: number; next: LeftoverPlace };

const LOOK_AT_ONCE = 500;
const DATED_AT_ONCE = 2_000;
const LOOKED_MAX = 5_000;
/** A file whose first save began this long ago has its record by now, or never gets it. */
const SAVED_AFTER_MS = DAY_MS;

/** Removes texts and versions that have no file: what a first saving left that was cut off. Looks at a number of them and returns where to go on. */
export async function removeLeftovers(
  db: Db,
  from: LeftoverPlace,
  now: Date,
  lookedMax = LOOKED_MAX,
): Promise<Leftovers> {
  const counts = { looked: 0, removed: 0 };
  const walk = async (place: string | null, read: (after: string | null) => Promise<string[]>) => {
    let at = place;
    for (let looked = 0; looked < lookedMax; looked += LOOK_AT_ONCE) {
      const fileIds = await read(at);
      counts.looked += fileIds.length;
      counts.removed += await removeWithoutFile(db, [...new Set(fileIds)], now);
      if (fileIds.length < LOOK_AT_ONCE) return null;
      at = lastItem(fileIds);
    }
    return at;
  };
  const version = await walk(from.version, (after) => versionOwners(db, after));
  const body = await walk(from.body, (after) => bodyOwners(db, after));
  return { ...counts, next: { version, body } };
}

async function versionOwners(db: Db, after: string | null): Promise<string[]> {
  const docs = await db.file_versions
    .find(after ? { file_id: { $gt: new ObjectId(after) } } : {})
    .project<{ file_id: ObjectId }>({ _id: 0, file_id: 1 })
    .sort({ file_id: 1, version: -1 })
    .limit(LOOK_AT_ONCE)
    .toArray();
  return docs.map(({ file_id }) => file_id.toHexString());
}

async function bodyOwners(db: Db, after: string | null): Promise<string[]> {
  const docs = await db.file_bodies
    .find({ _id: { $gte: after ? `${after};` : "" } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(LOOK_AT_ONCE)
    .toArray();
  return docs.map(({ _id }) => _id.slice(0, _id.indexOf(":")));
}

async function removeWithoutFile(db: Db, fileIds: string[], now: Date): Promise<number> {
  const ids = fileIds.map((id) => new ObjectId(id));
  const old = ids.filter((id) => now.getTime() - id.getTimestamp().getTime() > SAVED_AFTER_MS);
  const files = await db.files
    .find({ _id: { $in: old } })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const present = new Set(files.map(({ _id }) => _id.toHexString()));
  const left = old.filter((id) => !present.has(id.toHexString()));
  if (left.length > 0) await removePartsOfFiles(db, left);
  return left.length;
}
