import type { Db } from "#db/client.ts";
import type { RunProgress } from "#db/jobs/job-runs.server.ts";
import type { JobEnvelope } from "#db/jobs/queue.server.ts";
import type { WorkerLock } from "#db/jobs/worker-lock.ts";
import type { BackupSchedule } from "#domain/backups/backup-schedule.ts";
import type { RunTrigger } from "#domain/jobs/job-run.ts";
import type { JobId, JobPayload } from "#domain/jobs/jobs.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { CodeRunner } from "#worker/code-runner.ts";
import type { ImportConfig } from "#worker/library-import/config.ts";
import type { MirrorConfig } from "#worker/mirror/config.ts";
import type { PushConfig } from "#worker/push/config.ts";

export type BackupConfig = BackupSchedule & {
  directory: string;
  dataDirectory: string;
  uri: string;
  since: Date;
};

/** The services that every job gets, created at the start of the worker. */
export type WorkerServices = {
  db: Db;
  log: Log;
  clock: Clock;
  workerId: string;
  lock: WorkerLock;
  /** The time between heartbeats of a run; shorter in tests. */
  runHeartbeatMs?: number;
  /** Returns a job to the queue that arrived while this worker stops. */
  sendBack?: (jobId: JobId, envelope: JobEnvelope) => Promise<void>;
  /** Queues a run again that this worker gives up because it stops. */
  requeue?: (
    jobId: JobId,
    trigger: RunTrigger,
    payload: Record<string, unknown>,
    owner?: string,
  ) => Promise<unknown>;
  push: PushConfig;
  runCode: CodeRunner;
  imports: ImportConfig;
  mirror: MirrorConfig;
  /** Null if backups are off. */
  backups: BackupConfig | null;
};

/** A running job: its payload, its signal to stop, and its reports. */
export type Work<Id extends JobId> = {
  services: WorkerServices;
  payload: JobPayload<Id>;
  trigger: RunTrigger;
  signal: AbortSignal;
  report(progress: RunProgress): Promise<void>;
  /** Adds a line to the run's log. It is stored with the next write of the record, at the latest at the end. */
  writeLog(line: string): void;
};

export type JobHandler<Id extends JobId> = (work: Work<Id>) => Promise<Record<string, unknown>>;
