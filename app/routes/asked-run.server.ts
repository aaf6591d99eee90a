import type { LoaderFunctionArgs } from "@remix-run/node";
import { seal, unseal } from "#app/http/sealed.ts";
import type { Shelf } from "#app/http/visit.ts";
import { findRun, type JobRun } from "#db/job-runs.server.ts";
import type { JobId } from "#domain/jobs.ts";

/**
 * A run that a person asked for, on their way to its end. Records of runs have no owner, so the address holds its id sealed for the
 * one who asked: nobody else's address opens it.
 */
const purposeOf = (jobId: JobId, ownerId: string) => `run:${jobId}:${ownerId}`;

export function sealedRun({ env }: Shelf, ownerId: string, { job_id, run_id }: JobRun): string {
  return seal(env.sessionSecret, purposeOf(job_id, ownerId), run_id);
}

/** What is told of it: how far it is, and how it ended. */
export type AskedRun = {
  state: "under_way" | "done" | "failed";
  processed: number;
  total: number | null;
  result: Record<string, unknown> | null;
};

const ENDS: Partial<Record<JobRun["status"], AskedRun["state"]>> = {
  completed: "done",
  failed: "failed",
  cancelled: "failed",
  skipped: "failed",
};

/** The run that `?run=` names; null where it names none of this person's. */
export async function findAskedRun(
  { request, context }: LoaderFunctionArgs,
  ownerId: string,
  jobId: JobId,
): Promise<AskedRun | null> {
  const { env, db } = context.shelf;
  const sealed = new URL(request.url).searchParams.get("run") ?? "";
  const runId = unseal(env.sessionSecret, purposeOf(jobId, ownerId), sealed);
  const run = runId === null ? null : await findRun(db, runId);
  if (!run) return null;
  const { status, processed_items, total_items, result } = run;
  return { state: ENDS[status] ?? "under_way", processed: processed_items, total: total_items, result };
}

/** While something is under way, its page is asked for again by itself: nothing is typed into it meanwhile. */
export const REFRESHED = { Refresh: "3" };

export function refreshOf({ loaderHeaders }: { loaderHeaders: Headers }): Headers {
  const refresh = loaderHeaders.get("Refresh");
  return new Headers(refresh ? { Refresh: refresh } : {});
}
