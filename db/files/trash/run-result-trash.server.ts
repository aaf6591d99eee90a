import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { RUN_RESULT_BYTES } from "#db/files/usage/library-measuring.server.ts";
import { deleteMeasured } from "#db/files/usage/library-usage.server.ts";
import { RUN_RESULT_DAYS } from "#domain/code-runs/run-result.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/** Returns the number of deleted bytes. */
export async function removeFileRunResults(db: Db, fileId: ObjectId): Promise<number> {
  return (await deleteMeasured(db.run_results, { file_id: fileId }, RUN_RESULT_BYTES)).bytes;
}

/** In the trash, a result expires together with its file unless it expires earlier. */
export async function setRunResultsExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  expires_at: Date,
): Promise<void> {
  await db.run_results.updateMany({ file_id: { $in: [...fileIds] } }, { $min: { expires_at } });
}

/** Gives the results of a restored file their own dates back. */
export async function resetRunResultsExpiry(
  db: Db,
  fileIds: readonly ObjectId[],
  expires_at: Date,
): Promise<void> {
  const ownDate = { $add: ["$created_at", RUN_RESULT_DAYS * DAY_MS] };
  await db.run_results.updateMany({ file_id: { $in: [...fileIds] }, expires_at }, [
    { $set: { expires_at: ownDate } },
  ]);
}
