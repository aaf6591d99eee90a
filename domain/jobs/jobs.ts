import { z } from "zod";
import { listKeys } from "#domain/typed-keys.ts";

/**
 * The catalogue of jobs: what each is for, when it runs and how the queue treats it. The worker registers handlers in a type
 * mapped over this table, so a job without a handler does not compile.
 */
export type JobSpec = {
  payload: z.ZodType;
  /** When the queue starts it by itself; null for jobs that only a person or the worker's start begins. */
  cron: string | null;
  /** Also run once when a worker starts. */
  atStartup: boolean;
  /** One run at a time: a second one is recorded as skipped. */
  exclusive: boolean;
  /** Not queued again when a stopping worker gives it up, because nobody waits for it any more or something else starts it. */
  onceOnly?: true;
  /** Somebody waits for its result, so a run that failed is of no use to anybody later. */
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
  /** Does something only where a folder for backups is set, and only when one is due or requested. */
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
  /** With a note it sends the reminder of that note again that was given up. */
  reminder_push: {
    payload: z.strictObject({ note_id: z.string().max(40).optional() }),
    cron: null,
    atStartup: false,
    exclusive: false,
    onceOnly: true,
    retryLimit: 0,
    expireInSeconds: 900,
  },
  /** With an event it sends that event again that was given up. */
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
  /** Without a repository it looks for those that are due, queues one run each and clears up what was unmirrored. */
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
  /** Checks a library zip or, once its owner said go, imports it. */
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

/** Started by every worker itself as soon as there is something to do: the queue's clock has a step of a minute. */
export const DUE_JOBS = ["reminder_push", "push_events"] as const satisfies JobId[];
export type DueJob = (typeof DUE_JOBS)[number];

export const isDueJob = (jobId: JobId): jobId is DueJob => DUE_JOBS.some((due) => due === jobId);

/** Whether its runs are about something that a payload names. */
export const takesPayload = (jobId: JobId): boolean => Object.keys(JOBS[jobId].payload.shape).length > 0;

/** Whether starting it by hand does something: not where it needs a payload, nor where workers start it as soon as there is work. */
export const isStartable = (jobId: JobId): boolean =>
  !isDueJob(jobId) && (JOBS[jobId].cron !== null || !takesPayload(jobId));

/** Runs every few minutes whether or not there is something to do. */
export const isRoutine = (jobId: JobId): boolean =>
  JOBS[jobId].cron?.startsWith("*") === true && !takesPayload(jobId);

/** Everything a job can say of itself, also what this one does not. */
export const getJobSpec = (jobId: JobId): JobSpec => JOBS[jobId];

export const isAwaited = (jobId: JobId): boolean => getJobSpec(jobId).awaited === true;

export const JOB_IDS = listKeys(JOBS);

export function isJobId(text: string): text is JobId {
  return Object.hasOwn(JOBS, text);
}
