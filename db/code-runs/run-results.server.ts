import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { RunResultDoc } from "#db/code-runs/documents.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { RUN_RESULT_BYTES } from "#db/files/usage/library-measuring.server.ts";
import { deleteMeasured, freeBytes, runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import type { CodeRunResult } from "#domain/code-runs/code-run.ts";
import { computeRunResultExpiry, RUN_RESULTS_PER_FILE } from "#domain/code-runs/run-result.ts";
import { isFileId } from "#domain/files/selection.ts";
import type { Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export type RunResult = CodeRunResult & { id: string; file_id: string; version: number; created_at: Date };
/** A result in a list, without its output. */
export type RunSummary = Omit<RunResult, "stdout" | "stderr">;

type FinishedRun = { fileId: string; version: number; result: CodeRunResult };

/**
 * Stores a result without the files that the program wrote, if its file exists and the library has room, and keeps only the
 * newest. Returns null if the file was deleted in between. Checking the file after writing leaves no orphan: if the file is
 * deleted later, the deletion finds the result. Two writers at once each delete only results older than the newest.
 */
export async function createRunResult(
  db: Db,
  ownerId: string,
  run: FinishedRun,
  now: Date,
): Promise<RunResult | Refusal | null> {
  const file_id = new ObjectId(run.fileId);
  const { files_written: _, files_left_out: __, ...result } = run.result;
  const doc: RunResultDoc = {
    ...result,
    _id: new ObjectId(),
    user_id: ownerId,
    file_id,
    version: run.version,
    created_at: now,
    expires_at: computeRunResultExpiry(now),
  };
  const bytes = utf8Bytes(doc.stdout) + utf8Bytes(doc.stderr);
  return runWithinQuota(db, ownerId, { bytes }, now, async (free) => {
    await db.run_results.insertOne(doc);
    if (!(await findFile(db, ownerId, run.fileId))) {
      await db.run_results.deleteOne({ _id: doc._id, user_id: ownerId });
      free(bytes);
      return null;
    }
    free(await removeOldResults(db, ownerId, file_id));
    return toResult(doc);
  });
}

/** Returns the number of deleted bytes. */
async function removeOldResults(db: Db, ownerId: string, file_id: ObjectId): Promise<number> {
  const { [RUN_RESULTS_PER_FILE - 1]: last } = await listSummaryDocs(
    db,
    ownerId,
    file_id,
    RUN_RESULTS_PER_FILE,
  );
  if (!last) return 0;
  const { created_at, _id } = last;
  const older = [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: _id } }];
  const { bytes } = await deleteMeasured(
    db.run_results,
    { file_id, user_id: ownerId, $or: older },
    RUN_RESULT_BYTES,
  );
  return bytes;
}

export async function listRunResults(db: Db, ownerId: string, fileId: string): Promise<RunSummary[]> {
  const docs = await listSummaryDocs(db, ownerId, new ObjectId(fileId), RUN_RESULTS_PER_FILE);
  return docs.map(toSummary);
}

export async function findRunResult(
  db: Db,
  ownerId: string,
  fileId: string,
  id: string,
): Promise<RunResult | null> {
  if (!isFileId(id)) return null;
  const doc = await db.run_results.findOne({
    _id: new ObjectId(id),
    file_id: new ObjectId(fileId),
    user_id: ownerId,
  });
  return doc && toResult(doc);
}

export async function removeRunResults(db: Db, ownerId: string, fileId: string, now: Date): Promise<number> {
  return freeBytes(db, ownerId, now, async (free) => {
    const filter = { file_id: new ObjectId(fileId), user_id: ownerId };
    const { deleted, bytes } = await deleteMeasured(db.run_results, filter, RUN_RESULT_BYTES);
    free(bytes);
    return deleted;
  });
}

type SummaryDoc = Omit<RunResultDoc, "stdout" | "stderr">;

function listSummaryDocs(db: Db, ownerId: string, file_id: ObjectId, limit: number) {
  return db.run_results
    .find({ file_id, user_id: ownerId })
    .project<SummaryDoc>({ stdout: 0, stderr: 0 })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

const toResult = (doc: RunResultDoc): RunResult => ({
  ...toSummary(doc),
  stdout: doc.stdout,
  stderr: doc.stderr,
});

function toSummary({ _id, user_id: _, expires_at: __, file_id, ...result }: SummaryDoc): RunSummary {
  return { id: _id.toHexString(), file_id: file_id.toHexString(), ...result };
}
