import { z } from "zod";
import { listKeys } from "#domain/typed-keys.ts";

/**
 * The catalogue of jobs: payload, schedule and treatment by the queue. The worker's handlers are a type mapped over this table,
 * so a job without a handler does not compile.
 */
export type JobSpec = {
  payload: z.ZodType;
  /** The schedule of the queue; null for jobs that only a person, another job or the worker's start begins. */
  cron: string | null;
  /** Runs also when a worker starts. */
  atStartup: boolean;
  /** A second run at the same time is recorded as skipped. */
  exclusive: boolean;
  /** A run that a stopping worker gives up is not queued again, because nobody waits for it or something else starts it. */
  onceOnly?: true;
  /** A person waits for the result, so a failed run is useless later. */
  awaited?: true;
  retryLimit: number;
  expireInSeconds: number;
};

export const JOBS = {
  stuck_monitor: {
    payload: z.strictObject({}),
    cron: "* * * * *",
    atStartup: false,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 55,
  },
  orphan_reconcile: {
    payload: z.strictObject({}),
    cron: null,
    atStartup: true,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 180,
  },
  trash_check: {
    payload: z.strictObject({}),
    cron: "17 * * * *",
    atStartup: false,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 600,
  },
  account_removal: {
    payload: z.strictObject({}),
    cron: "*/10 * * * *",
    atStartup: true,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 540,
  },
  search_merge: {
    payload: z.strictObject({}),
    cron: "*/5 * * * *",
    atStartup: false,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 540,
  },
  /** Does something only if a folder for backups is set and a backup is due or requested. */
  backup: {
    payload: z.strictObject({}),
    cron: "37 * * * *",
    atStartup: true,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 3_600,
  },
  metrics_rollup: {
    payload: z.strictObject({}),
    cron: "* * * * *",
    atStartup: false,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 55,
  },
  /** With a note, sends that note's reminder after its delivery was given up. */
  reminder_push: {
    payload: z.strictObject({ note_id: z.string().max(40).optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    onceOnly: true,
    retryLimit: 0,
    expireInSeconds: 900,
  },
  /** With an event, sends that event after its delivery was given up. */
  push_events: {
    payload: z.strictObject({ event_id: z.string().max(40).optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    onceOnly: true,
    retryLimit: 0,
    expireInSeconds: 900,
  },
  push_subscriptions_cleanup: {
    payload: z.strictObject({}),
    cron: "40 3 * * *",
    atStartup: false,
    exclusive: true,
    retryLimit: 0,
    expireInSeconds: 300,
  },
  push_test: {
    payload: z.strictObject({ user_id: z.string().max(40).optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    onceOnly: true,
    retryLimit: 0,
    expireInSeconds: 60,
  },
  /** Without a repository, finds the due ones, queues a run for each and removes data of deleted mirrors. */
  repo_sync: {
    payload: z.strictObject({ repo_id: z.string().max(40).optional() }),
    cron: "*/5 * * * *",
    atStartup: false,
    exclusive: false,
    retryLimit: 0,
    expireInSeconds: 1_500,
  },
  repo_import: {
    payload: z.strictObject({
      repo_id: z.string().max(40).optional(),
      path: z.string().max(4_096).optional(),
    }),
    cron: null,
    atStartup: false,
    exclusive: false,
    retryLimit: 0,
    expireInSeconds: 1_200,
  },
  /** Checks a library zip, or imports it once its owner has confirmed. */
  library_import: {
    payload: z.strictObject({
      user_id: z.string().max(40).optional(),
      import_id: z.string().max(40).optional(),
    }),
    cron: null,
    atStartup: false,
    exclusive: false,
    retryLimit: 0,
    expireInSeconds: 1_200,
  },
  repo_analysis: {
    payload: z.strictObject({ repo_id: z.string().max(40).optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    retryLimit: 0,
    expireInSeconds: 300,
  },
  code_run: {
    payload: z.strictObject({ code_run_id: z.string().optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    onceOnly: true,
    awaited: true,
    retryLimit: 0,
    expireInSeconds: 120,
  },
} as const satisfies Record<string, JobSpec>;

export type JobId = keyof typeof JOBS;
export type JobPayload<Id extends JobId> = z.output<(typeof JOBS)[Id]["payload"]>;

/** Each worker starts these itself as soon as there is work, because the queue's clock has steps of a minute. */
export const DUE_JOBS = ["reminder_push", "push_events"] as const satisfies JobId[];
export type DueJob = (typeof DUE_JOBS)[number];

export const isDueJob = (jobId: JobId): jobId is DueJob => DUE_JOBS.some((dueJob) => dueJob === jobId);

/** True if its payload can name something. */
export const takesPayload = (jobId: JobId): boolean => Object.keys(JOBS[jobId].payload.shape).length > 0;

/** True if starting the job by hand has an effect. It has none for jobs that need a payload and for those that workers start themselves. */
export const isStartable = (jobId: JobId): boolean =>
  !isDueJob(jobId) && (JOBS[jobId].cron !== null || !takesPayload(jobId));

/** True if it runs every few minutes even without work. */
export const isRoutine = (jobId: JobId): boolean =>
  JOBS[jobId].cron?.startsWith("*") === true && !takesPayload(jobId);

/** Returns the spec with all optional fields, also those that this job does not set. */
export const getJobSpec = (jobId: JobId): JobSpec => JOBS[jobId];

export const isAwaited = (jobId: JobId): boolean => getJobSpec(jobId).awaited === true;

export const JOB_IDS = listKeys(JOBS);

export function isJobId(text: string): text is JobId {
  return Object.hasOwn(JOBS, text);
}
