import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import type { JobRunDoc } from "#db/jobs/documents.ts";
import { type JobRun, toRun } from "#db/jobs/job-runs.server.ts";
import type { ListCursor } from "#domain/cursor.ts";
import { RUN_STATUSES, type RunStatus } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";

type RunQuery = {
  job_id?: JobId | readonly JobId[];
  status?: RunStatus | readonly RunStatus[];
  /** Leaves out failed runs that were retried. */
  unretried?: true;
  /** Only failed runs that were dismissed, or only others. */
  dismissed?: boolean;
  after?: ListCursor | null;
  limit: number;
};

export async function listRuns(db: Db, query: RunQuery): Promise<JobRun[]> {
  const read = ({ filter, hint }: Walk) =>
    db.job_runs.find(filter, { hint }).sort({ created_at: -1, _id: -1 }).limit(query.limit).toArray();
  const docs = (await Promise.all(planQueries(query).map(read))).flat();
  docs.sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? 1 : -1));
  return docs.slice(0, query.limit).map(toRun);
}

export async function listRunPage(
  db: Db,
  query: RunQuery,
): Promise<{ runs: JobRun[]; next: ListCursor | null }> {
  const batch = await listRuns(db, { ...query, limit: query.limit + 1 });
  const runs = batch.slice(0, query.limit);
  const last = batch.length > query.limit ? runs.at(-1) : undefined;
  return { runs, next: last ? { createdAtMs: last.created_at.getTime(), id: last.run_id } : null };
}

export async function countRuns(db: Db, query: RunQuery): Promise<number> {
  const { limit } = query;
  const count = ({ filter, hint }: Walk) => db.job_runs.countDocuments(filter, { hint, limit });
  const counts = await Promise.all(planQueries(query).map(count));
  return Math.min(
    limit,
    counts.reduce((sum, each) => sum + each, 0),
  );
}

/** A part of the requested runs, read along one index. */
type Walk = { filter: Filter<JobRunDoc>; hint: string };

/** Nearly all runs end with one of these. */
const USUAL_STATUSES: readonly RunStatus[] = ["completed", "skipped"];

/**
 * Each status is a walk of its own, independent of the number of runs in other states: few runs fail, and thousands a day do
 * not. If jobs are named and most of their runs have the status, each job is a walk.
 */
function planQueries({ job_id, status, unretried, dismissed, after }: RunQuery): Walk[] {
  const jobs = job_id && [job_id].flat();
  const statuses = status ? [status].flat() : RUN_STATUSES;
  const conditions = {
    ...toCursorFilter(after),
    ...(unretried ? { retried_by: { $exists: false } } : {}),
    ...(dismissed === undefined ? {} : { dismissed_at: { $exists: dismissed } }),
  };
  if (jobs && statuses.some((each) => USUAL_STATUSES.includes(each))) {
    const inStatus = status ? { status: { $in: [...statuses] } } : {};
    return jobs.map((each) => ({ filter: { job_id: each, ...inStatus, ...conditions }, hint: "of_job" }));
  }
  const inJobs = jobs ? { job_id: { $in: jobs } } : {};
  return statuses.map((each) => ({ filter: { status: each, ...inJobs, ...conditions }, hint: "in_status" }));
}

function toCursorFilter(cursor?: ListCursor | null): Filter<JobRunDoc> {
  if (!cursor) return {};
  const created_at = new Date(cursor.createdAtMs);
  return {
    created_at: { $lte: created_at },
    $or: [{ created_at: { $lt: created_at } }, { _id: { $lt: cursor.id } }],
  };
}

export async function listActiveRuns(db: Db, limit: number): Promise<JobRun[]> {
  const docs = await db.job_runs.find({ status: "running" }).sort({ created_at: 1 }).limit(limit).toArray();
  return docs.map(toRun);
}

export async function listSilentRuns(
  db: Db,
  startedBefore: Date,
  silentSince: Date,
  limit: number,
): Promise<JobRun[]> {
  const docs = await db.job_runs
    .find({ status: "running", started_at: { $lt: startedBefore }, heartbeat_at: { $lt: silentSince } })
    .sort({ created_at: 1 })
    .limit(limit)
    .toArray();
  return docs.map(toRun);
}
