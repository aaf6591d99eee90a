import type { Db } from "#db/client.ts";
import type { CheckedState } from "#db/core/indexes/index-builds.ts";
import { readInPages } from "#db/core/pages.ts";
import { dateTrashedFile } from "#db/files/trash/file-deletion.server.ts";
import { checkTrashExpiry } from "#db/files/trash/trash-upkeep.server.ts";
import { belatedExpiry, computeOverdueLimit } from "#domain/files/trash.ts";

/** Checks whether the trash empties itself, and repairs it. */
type TrashExpiry = { state: CheckedState; overdue: number | null };

/** Never throws: if the store does not answer, the state is unchecked and the number of overdue files is unknown. */
export async function reportTrashExpiry(db: Db, now: Date): Promise<TrashExpiry> {
  const [state, overdue] = await Promise.all([
    checkTrashExpiry(db).catch(() => "unchecked" as const),
    countOverdue(db, now).catch(() => null),
  ]);
  return { state, overdue };
}

/** Counts from the keys of another index than the one that empties the trash, because that may be missing. */
async function countOverdue(db: Db, now: Date): Promise<number> {
  const expires_at = { $gt: EPOCH, $lt: computeOverdueLimit(now) };
  const count = (expiring: boolean) =>
    db.files.countDocuments({ expiring, expires_at }, { hint: "bin_dates" });
  const [expiring, others] = await Promise.all([count(true), count(false)]);
  return expiring + others;
}

export async function hasOverdueFiles(db: Db, ownerId: string, now: Date): Promise<boolean> {
  const overdueFile = await db.files.findOne(
    { user_id: ownerId, deleted_at: { $gt: EPOCH }, expires_at: { $lt: computeOverdueLimit(now) } },
    { projection: { _id: 1 } },
  );
  return overdueFile !== null;
}

const EPOCH = new Date(0);
/** Each file takes several writes. */
const READ_AT_ONCE = 100;

/** Dates files in the trash that have no date or are not set to expire. It reads every file, which is acceptable for a repair. */
export async function setMissingExpiryDates(db: Db, now: Date): Promise<number> {
  const undated = readInPages(db.files, {
    filter: {
      deleted_at: { $gt: EPOCH },
      $or: [{ expires_at: null }, { expiring: { $exists: false } }],
    },
    order: { _id: 1 },
    pageSize: READ_AT_ONCE,
  });
  let datedCount = 0;
  for await (const { _id, user_id, deleted_at, expires_at: existingDate } of undated) {
    if (!deleted_at) continue;
    const expires_at = existingDate ?? belatedExpiry(deleted_at, now);
    const { modifiedCount } = await db.files.updateOne(
      { _id, user_id, deleted_at, expires_at: existingDate ?? null },
      { $set: { expires_at, expiring: false } },
    );
    if (modifiedCount === 0) continue;
    await dateTrashedFile(db, { _id, user_id, deleted_at, expires_at });
    datedCount++;
  }
  return datedCount;
}
