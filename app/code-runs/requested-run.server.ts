import type { Db } from "#db/client.ts";
import type { JobRun } from "#db/jobs/job-runs.server.ts";
import { findRepoRun } from "#db/repos/repo-runs.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";

type RequestedRun = {
  state: "under_way" | "done" | "failed";
  processed: number;
  total: number | null;
  result: Record<string, unknown> | null;
};

const ENDS: Partial<Record<JobRun["status"], RequestedRun["state"]>> = {
  completed: "done",
  failed: "failed",
  cancelled: "failed",
  skipped: "failed",
};

/** Finds a run among the latest of a mirror; null for any other. */
export async function findRequestedRun(
  db: Db,
  repo: RepoRecord,
  runId: string | null,
): Promise<RequestedRun | null> {
  const run = runId === null ? null : await findRepoRun(db, repo, runId);
  if (!run) return null;
  const { status, processed_items, total_items, result } = run;
  return { state: ENDS[status] ?? "under_way", processed: processed_items, total: total_items, result };
}

/** Reloads the page while something is under way; the page has no fields to type into then. */
export const REFRESHED = { Refresh: "3" };
