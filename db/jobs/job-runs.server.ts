import { ObjectId, type UpdateFilter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import type { JobRunDoc } from "#db/jobs/documents.ts";
import { readFailureReason, readRedactedMessage, readRedactedStack } from "#db/jobs/job-run-error.ts";
import {
  FAILURE_MESSAGES,
  type FailureReason,
  HEARTBEAT_STALE_MS,
  RUN_LOG_LINES,
  type RunStatus,
  type RunTrigger,
} from "#domain/jobs/job-run.ts";
import { JOBS, type JobId } from "#domain/jobs/jobs.ts";

export type JobRun = Omit<JobRunDoc, "_id" | "exclusive_key"> & { run_id: string };

/** The fields of a run before it is claimed. */
type PendingRun = Pick<JobRun, "run_id" | "job_id" | "trigger">;

type RunOrigin = { payload?: Record<string, unknown>; retryOf?: JobRun; run_id?: string };

export async function createRun(
  db: Db,
  jobId: JobId,
  trigger: RunTrigger,
  now: Date,
  origin: RunOrigin = {},
): Promise<JobRun> {
  const doc = createRunDoc(jobId, trigger, now, origin);
  await db.job_runs.insertOne(doc);
  return toRun(doc);
}

/** Records work that failed inside another run as a failed run of its own, so that it is listed and can be retried. */
export async function recordFailedRun(
  db: Db,
  jobId: JobId,
  payload: Record<string, unknown>,
  reason: FailureReason,
  now: Date,
  lines: readonly string[] = [],
): Promise<void> {
  const ended = { status: "failed", started_at: now, ended_at: now } as const;
  const logs = lines.slice(-RUN_LOG_LINES).map((line) => ({ at: now, line }));
  const doc = {
    ...createRunDoc(jobId, "scheduled", now, { payload }),
    ...ended,
    ...toFailureFields(reason),
    logs,
  };
  await db.job_runs.insertOne(doc);
  db.emit("job_failed", { job_id: jobId, run_id: doc._id, ms: 0, error: reason, reason });
}

function createRunDoc(
  jobId: JobId,
  trigger: RunTrigger,
  now: Date,
  { payload = {}, retryOf, run_id }: RunOrigin,
): JobRunDoc {
  return {
    _id: run_id ?? new ObjectId().toHexString(),
    job_id: jobId,
    status: "pending",
    trigger,
    created_at: now,
    started_at: null,
    ended_at: null,
    heartbeat_at: null,
    worker_id: null,
    progress: 0,
    total_items: null,
    processed_items: 0,
    error_message: null,
    failure_reason: null,
    logs: [],
    result: null,
    stuck_reported_at: null,
    payload,
    queued_at: now,
    attempt: (retryOf?.attempt ?? (retryOf ? 1 : 0)) + 1,
    ...(retryOf ? { retry_of: retryOf.run_id } : {}),
  };
}

/**
 * pending → running, for one worker only. Null if the run is no longer pending, or if another run of an exclusive job is active.
 * An active run whose worker has been silent for too long is closed first and does not block.
 */
export async function claimRun(db: Db, run: PendingRun, workerId: string, now: Date): Promise<JobRun | null> {
  const exclusive = JOBS[run.job_id].exclusive ? { exclusive_key: run.job_id } : {};
  const claim = () =>
    db.job_runs.findOneAndUpdate(
      { _id: run.run_id, status: "pending" },
      { $set: { status: "running", started_at: now, heartbeat_at: now, worker_id: workerId, ...exclusive } },
      { returnDocument: "after" },
    );
  try {
    const doc = await claim();
    if (doc) db.emit("job_started", { job_id: run.job_id, run_id: run.run_id, trigger: run.trigger });
    return doc && toRun(doc);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await closeSilentExclusiveRun(db, run.job_id, now)) ? claimRun(db, run, workerId, now) : null;
  }
}

async function closeSilentExclusiveRun(db: Db, jobId: JobId, now: Date): Promise<boolean> {
  const silentSince = new Date(now.getTime() - HEARTBEAT_STALE_MS);
  const closed = await db.job_runs.updateOne(
    { exclusive_key: jobId, status: "running", heartbeat_at: { $lt: silentSince } },
    toClosingUpdate("failed", now, toFailureFields("orphaned")),
  );
  return closed.modifiedCount === 1;
}

const toFailureFields = (reason: FailureReason) => ({
  failure_reason: reason,
  error_message: FAILURE_MESSAGES[reason],
});

export type LogLine = JobRunDoc["logs"][number];

const toClosingUpdate = (
  status: RunStatus,
  now: Date,
  more: Partial<JobRunDoc>,
  lines: readonly LogLine[] = [],
): UpdateFilter<JobRunDoc> => ({
  $set: { status, ended_at: now, ...more },
  $unset: { exclusive_key: "" },
  ...toLogUpdate(lines),
});

const toLogUpdate = (lines: readonly LogLine[]): UpdateFilter<JobRunDoc> =>
  lines.length > 0 ? { $push: { logs: { $each: [...lines], $slice: -RUN_LOG_LINES } } } : {};

export async function completeRun(
  db: Db,
  run: JobRun,
  result: Record<string, unknown>,
  now: Date,
  lines?: readonly LogLine[],
): Promise<boolean> {
  const done = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running" },
    toClosingUpdate("completed", now, { result, progress: 100 }, lines),
  );
  if (done.modifiedCount === 1) {
    db.emit("job_completed", { job_id: run.job_id, run_id: run.run_id, ms: elapsedMs(run, now) });
  }
  return done.modifiedCount === 1;
}

/** Closes a run as failed. The stored error contains no private content and no secrets. */
export async function failRun(
  db: Db,
  run: JobRun,
  thrown: unknown,
  now: Date,
  lines?: readonly LogLine[],
): Promise<boolean> {
  const error_message = readRedactedMessage(thrown);
  const reason = readFailureReason(thrown);
  const done = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running" },
    toClosingUpdate(
      "failed",
      now,
      { error_message, error_stack: readRedactedStack(thrown), failure_reason: reason },
      lines,
    ),
  );
  if (done.modifiedCount === 1) {
    const error = error_message.slice(0, 500);
    db.emit("job_failed", { job_id: run.job_id, run_id: run.run_id, ms: elapsedMs(run, now), error, reason });
  }
  return done.modifiedCount === 1;
}

type SkipReason = "disabled" | "already_running";

export async function skipRun(db: Db, run: PendingRun, reason: SkipReason, now: Date): Promise<boolean> {
  const done = await db.job_runs.updateOne(
    { _id: run.run_id, status: "pending" },
    toClosingUpdate("skipped", now, { failure_reason: reason }),
  );
  if (done.modifiedCount === 1) db.emit("job_skipped", { job_id: run.job_id, run_id: run.run_id, reason });
  return done.modifiedCount === 1;
}

/** Closes a running run whose worker is gone. False if its state changed since it was read. */
export async function closeOrphanedRun(db: Db, run: JobRun, now: Date): Promise<boolean> {
  const closed = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running", heartbeat_at: run.heartbeat_at },
    toClosingUpdate("failed", now, toFailureFields("orphaned")),
  );
  return closed.modifiedCount === 1;
}

/** Records a heartbeat. The result says whether the run should continue: not if it was cancelled or closed. */
export async function recordRunHeartbeat(
  db: Db,
  runId: string,
  now: Date,
  lines: readonly LogLine[] = [],
): Promise<boolean> {
  const doc = await db.job_runs.findOneAndUpdate(
    { _id: runId, status: "running" },
    { $set: { heartbeat_at: now }, ...toLogUpdate(lines) },
    { projection: { cancel_requested_at: 1 } },
  );
  return doc !== null && !doc.cancel_requested_at;
}

/**
 * Requests a run to stop. A waiting run is skipped at once. A running one is only marked: its worker aborts it and then closes
 * it, so that an exclusive job is not free for another run while this one is still active.
 */
export async function requestCancel(db: Db, runId: string, now: Date): Promise<boolean> {
  const waiting = await db.job_runs.updateOne(
    { _id: runId, status: "pending" },
    toClosingUpdate("skipped", now, { failure_reason: "cancelled" }),
  );
  if (waiting.modifiedCount === 1) return true;
  const running = await db.job_runs.updateOne(
    { _id: runId, status: "running" },
    { $set: { cancel_requested_at: now } },
  );
  return running.matchedCount === 1;
}

/** Closes a running run that a person stopped. */
export async function closeCancelledRun(
  db: Db,
  run: JobRun,
  now: Date,
  lines?: readonly LogLine[],
): Promise<boolean> {
  const done = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running" },
    toClosingUpdate("cancelled", now, { failure_reason: "cancelled" }, lines),
  );
  return done.modifiedCount === 1;
}

/** Closes a run because its worker is stopping. If the job allows it, a new run is queued instead. */
export async function closeRunOfStoppingWorker(
  db: Db,
  run: JobRun,
  now: Date,
  lines?: readonly LogLine[],
): Promise<boolean> {
  const done = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running" },
    toClosingUpdate("cancelled", now, { failure_reason: "worker_stopped" }, lines),
  );
  return done.modifiedCount === 1;
}

/** Lets a run wait again if its worker died before it began. Not for exclusive jobs, which stay occupied until the run is closed. */
export async function releaseRun(db: Db, runId: string, now: Date): Promise<void> {
  const waiting = { status: "pending", started_at: null, heartbeat_at: null, worker_id: null } as const;
  await db.job_runs.updateOne({ _id: runId, status: "running" }, { $set: { ...waiting, queued_at: now } });
}

export type RunProgress = { processed_items?: number; total_items?: number };

/** Records the progress and new log lines of a run. It counts as a heartbeat. */
export async function recordRunProgress(
  db: Db,
  runId: string,
  { processed_items, total_items }: RunProgress,
  now: Date,
  lines: readonly LogLine[] = [],
): Promise<void> {
  const progress = total_items ? Math.floor((100 * (processed_items ?? 0)) / total_items) : undefined;
  await db.job_runs.updateOne(
    { _id: runId, status: "running" },
    { $set: { heartbeat_at: now, processed_items, total_items, progress }, ...toLogUpdate(lines) },
  );
}

/** Marks a run as reported stuck; false if it was reported before or is no longer running. */
export async function setRunReportedStuck(db: Db, run: JobRun, now: Date): Promise<boolean> {
  const marked = await db.job_runs.updateOne(
    { _id: run.run_id, status: "running", stuck_reported_at: null },
    { $set: { stuck_reported_at: now } },
  );
  return marked.modifiedCount === 1;
}

export async function removePendingRun(db: Db, runId: string): Promise<void> {
  await db.job_runs.deleteOne({ _id: runId, status: "pending" });
}

export async function findRun(db: Db, runId: string): Promise<JobRun | null> {
  const doc = await db.job_runs.findOne({ _id: runId });
  return doc && toRun(doc);
}

export async function findRuns(db: Db, runIds: readonly string[]): Promise<Map<string, JobRun>> {
  if (runIds.length === 0) return new Map();
  const docs = await db.job_runs.find({ _id: { $in: [...runIds] } }).toArray();
  return new Map(docs.map((doc) => [doc._id, toRun(doc)]));
}

function elapsedMs(run: JobRun, now: Date): number {
  return Math.max(0, now.getTime() - (run.started_at ?? run.created_at).getTime());
}

export function toRun({ _id, exclusive_key: _, ...run }: JobRunDoc): JobRun {
  return { run_id: _id, ...run };
}
