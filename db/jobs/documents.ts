import type { RunStatus, RunTrigger } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import type { GitFaultCode } from "#domain/repos/repo.ts";
import type { Snapshot } from "#platform/metrics/metrics-snapshot.ts";
import type { SandboxLayer } from "#platform/processes/sandbox-layers.ts";

export type JobRunDoc = {
  /** The run's id: 24 hex digits. */
  _id: string;
  job_id: JobId;
  status: RunStatus;
  trigger: RunTrigger;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  heartbeat_at: Date | null;
  worker_id: string | null;
  progress: number;
  total_items: number | null;
  processed_items: number;
  error_message: string | null;
  /** Where an exception was thrown, without secrets. */
  error_stack?: string | null;
  failure_reason: string | null;
  logs: { at: Date; line: string }[];
  result: Record<string, unknown> | null;
  stuck_reported_at: Date | null;
  /** What the job was given. Runs of earlier versions do not have it. */
  payload?: Record<string, unknown>;
  /** When it was last put into the queue. */
  queued_at?: Date;
  /** How often this work was begun by a retry, the first time included. */
  attempt?: number;
  /** The failed run that this one repeats. */
  retry_of?: string;
  /** The run that repeats this failed one. */
  retried_by?: string;
  /** When an administrator took this failed run off the list of failures. */
  dismissed_at?: Date;
  /** When a person asked a running run to stop; its worker sees it with the next heartbeat. */
  cancel_requested_at?: Date;
  /** Present only while a run of an exclusive job is running; a unique index holds it to one. */
  exclusive_key?: string;
};

/** What an administrator decided about a job. A job without a record is enabled and not paused. */
export type JobSettingDoc = { _id: string; enabled?: boolean; paused?: boolean };

/** A worker process says here that it is alive, what it has counted and what it lacks; web processes read it. */
export type WorkerDoc = { _id: string; started_at: Date; heartbeat_at: Date } & WorkerWords;

export type WorkerWords = {
  metrics?: Snapshot;
  /** Why it cannot copy repositories. */
  git_fault?: GitFaultCode | null;
  /** The layers of its sandbox that its machine does not give, and whether git is isolated there. */
  isolation?: { missing: SandboxLayer[]; git: boolean };
};
