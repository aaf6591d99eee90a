import type { ObjectId } from "mongodb";
import { removeWhole } from "#db/bin.server.ts";
import type { Db } from "#db/client.ts";
import { type IndexState, indexState } from "#db/indexes.ts";

/** Whether the store itself empties the recycle bin, and what is done about the little that it cannot. */
const EXPIRING = ["files", "file_versions", "file_bodies"] as const;

/** The worst state among the TTL indexes of the bin. Throws where it cannot be checked. */
export async function checkBinExpiry(db: Db): Promise<IndexState> {
  const states = await Promise.all(EXPIRING.map((name) => indexState(db[name], name, "bin_expiry")));
  return states.find((state) => state !== "present") ?? "present";
}

/** Told at every start of the web process: without the index nothing in the bin is ever deleted. */
export async function announceBinExpiry(db: Db): Promise<IndexState> {
  const state = await checkBinExpiry(db);
  if (state !== "present") db.emit("db_recycle_bin_ttl_index_missing", { state });
  return state;
}

/** Removes overdue files whose deletion or restoring was cut off: their records do not expire by themselves. */
export async function finishDeletions(db: Db, now: Date): Promise<number> {
  const left = await db.files
    .find({ expiring: false, expires_at: { $lt: now } })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .sort({ expires_at: 1 })
    .toArray();
  for (const { _id } of left) await removeWhole(db, _id);
  return left.length;
}
