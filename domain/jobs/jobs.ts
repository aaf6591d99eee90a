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
  expireInSeconds: number;
};

const USUAL = { payload: z.strictObject({}), cron: null, atStartup: false, exclusive: false } as const;

export const JOBS = {
  stuck_monitor: { ...USUAL, cron: "* * * * *", exclusive: true, expireInSeconds: 55 },
  orphan_reconcile: { ...USUAL, atStartup: true, exclusive: true, expireInSeconds: 180 },
  trash_check: { ...USUAL, cron: "17 * * * *", exclusive: true, expireInSeconds: 600 },
  account_removal: { ...USUAL, cron: "*/10 * * * *", atStartup: true, exclusive: true, expireInSeconds: 540 },
  search_merge: { ...USUAL, cron: "*/5 * * * *", exclusive: true, expireInSeconds: 540 },
  /** Does something only if a folder for backups is set and a backup is due or requested. */
  backup: { ...USUAL, cron: "37 * * * *", atStartup: true, exclusive: true, expireInSeconds: 3_600 },
  metrics_rollup: { ...USUAL, cron: "* * * * *", exclusive: true, expireInSeconds: 55 },
  /** With a note, sends that note's reminder after its delivery was given up. */
  reminder_push: {
    ...USUAL,
    payload: z.strictObject({ note_id: z.string().max(40).optional() }),
    onceOnly: true,
    expireInSeconds: 900,
  },
  /** With an event, sends that event after its delivery was given up. */
  push_events: {
    ...USUAL,
    payload: z.strictObject({ event_id: z.string().max(40).optional() }),
    onceOnly: true,
    expireInSeconds: 900,
  },
  push_subscriptions_cleanup: { ...USUAL, cron: "40 3 * * *", exclusive: true, expireInSeconds: 300 },
  push_test: {
    ...USUAL,
    payload: z.strictObject({ user_id: z.string().max(40).optional() }),
    onceOnly: true,
    expireInSeconds: 60,
  },
  /** Without a repository, finds the due ones, queues a run for each and removes data of deleted mirrors. */
  repo_sync: {
    ...USUAL,
    payload: z.strictObject({ repo_id: z.string().max(40).optional() }),
    cron: "*/5 * * * *",
    expireInSeconds: 1_500,
  },
  repo_import: {
    ...USUAL,
    payload: z.strictObject({
      repo_id: z.string().max(40).optional(),
      path: z.string().max(4_096).optional(),
    }),
    expireInSeconds: 1_200,
  },
  /** Checks a library zip, or imports it once its owner has confirmed. */
  library_import: {
    ...USUAL,
    payload: z.strictObject({
      user_id: z.string().max(40).optional(),
      import_id: z.string().max(40).optional(),
    }),
    expireInSeconds: 1_200,
  },
  repo_analysis: {
    ...USUAL,
    payload: z.strictObject({ repo_id: z.string().max(40).optional() }),
    expireInSeconds: 300,
  },
  code_run: {
    ...USUAL,
    payload: z.strictObject({ code_run_id: z.string().optional() }),
    onceOnly: true,
    awaited: true,
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
