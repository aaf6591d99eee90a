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

/** Where backups go and of what they are made. `since` is when the worker started. */
export type BackupConfig = BackupSchedule & {
  directory: string;
  dataDirectory: string;
  uri: string;
  since: Date;
};

/** What the worker makes once when it starts and gives to every job. */
export type WorkerServices = {
  db: Db;
  log: Log;
  clock: Clock;
  workerId: string;
  lock: WorkerLock;
  /** How often a run says that it is at work; tests wait less. */
  runHeartbeatMs?: number;
  /** Returns a job to the queue that came to this worker while it stops. */
  sendBack?: (jobId: JobId, envelope: JobEnvelope) => Promise<void>;
  /** Queues a run again that this worker has to give up because it stops. */
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
  /** Null where nobody asked for backups. */
  backups: BackupConfig | null;
};

/** One run at work: what it was given, when to stop, and how to tell how far it is. */
export type Work<Id extends JobId> = {
  services: WorkerServices;
  payload: JobPayload<Id>;
  /** Who began it: a person, the clock or the start of a worker. */
  trigger: RunTrigger;
  signal: AbortSignal;
  report(progress: RunProgress): Promise<void>;
  /** Says what the run looked at, did, or could not do. Kept with the next write of its record, at the latest with its end. */
  writeLog(line: string): void;
};

/** Does the work and returns what the run's record keeps as its result. */
export type JobHandler<Id extends JobId> = (work: Work<Id>) => Promise<Record<string, unknown>>;
