import type { Db } from "#db/client.ts";
import { findRun, type JobRun } from "#db/jobs/job-runs.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * Dismisses a failed run without running it again; null undoes that. The run stays failed and keeps its record. If two people
 * dismiss it at once, the first time stays.
 */
export async function setRunDismissed(
  db: Db,
  runId: string,
  dismissedAt: Date | null,
): Promise<JobRun | Refusal> {
  if (dismissedAt)
    await db.job_runs.updateOne(
      { _id: runId, status: "failed", dismissed_at: { $exists: false } },
      { $set: { dismissed_at: dismissedAt } },
    );
  else await db.job_runs.updateOne({ _id: runId, status: "failed" }, { $unset: { dismissed_at: "" } });
  const run = await findRun(db, runId);
  if (!run) return Refusal("run_not_found", { run_id: runId });
  return run.status === "failed" ? run : Refusal("run_not_failed", { run_id: runId });
}

/** Dismisses all failed runs among these. If none failed, returns the first refusal. */
export async function setRunsDismissed(
  db: Db,
  runIds: readonly string[],
  dismissedAt: Date | null,
): Promise<JobRun[] | Refusal> {
  const answers = [];
  for (const runId of runIds) answers.push(await setRunDismissed(db, runId, dismissedAt));
  const runs = answers.filter((answer): answer is JobRun => !isRefusal(answer));
  return runs.length > 0 ? runs : (answers.find(isRefusal) ?? []);
}
