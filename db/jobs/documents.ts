import type { RunStatus, RunTrigger } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import type { GitFaultCode } from "#domain/repos/repo.ts";
import type { Snapshot } from "#platform/metrics/metrics-snapshot.ts";
import type { SandboxLayer } from "#platform/processes/sandbox-layers.ts";

export type JobRunDoc = {
  /** 24 hex digits. */
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
  /** The stack of the exception, without secrets. */
  error_stack?: string | null;
  failure_reason: string | null;
  logs: { at: Date; line: string }[];
  result: Record<string, unknown> | null;
  stuck_reported_at: Date | null;
  /** Runs of earlier versions have none. */
  payload?: Record<string, unknown>;
  queued_at?: Date;
  attempt?: number;
  /** The failed run that this one repeats. */
  retry_of?: string;
  /** The run that repeats this failed one. */
  retried_by?: string;
  /** When an administrator dismissed this failed run. */
  dismissed_at?: Date;
  /** When a person asked a running run to stop; its worker sees it with the next heartbeat. */
  cancel_requested_at?: Date;
  /** Present only while a run of an exclusive job is running; a unique index allows only one. */
  exclusive_key?: string;
};

/** An administrator's settings of a job. A job without a record is enabled and not paused. */
export type JobSettingDoc = { _id: string; enabled?: boolean; paused?: boolean };

/** A worker process reports here that it is alive, its metrics and what it lacks; web processes read it. */
export type WorkerDoc = { _id: string; started_at: Date; heartbeat_at: Date } & WorkerReport;

export type WorkerReport = {
  metrics?: Snapshot;
  /** Why it cannot copy repositories. */
  git_fault?: GitFaultCode | null;
  /** The sandbox layers that its machine lacks, and whether git is isolated. */
  isolation?: { missing: SandboxLayer[]; git: boolean };
};
