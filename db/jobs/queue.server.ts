import { randomInt } from "node:crypto";
import { PgBoss } from "pg-boss";
import {
  type CodeRuns,
  createCodeRuns,
  createCodeRunTables,
  holdWorkerNumber,
} from "#db/code-runs/code-runs.server.ts";
import { createListener } from "#db/core/postgres-listener.ts";
import { type Backlog, listBacklog } from "#db/jobs/queue-backlog.server.ts";
import type { RunTrigger } from "#domain/jobs/job-run.ts";
import { JOB_IDS, JOBS, type JobId } from "#domain/jobs/jobs.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { getRequestId } from "#platform/request-id.ts";

/** The message for a run. A scheduled one has no run yet: the worker creates its record. */
export type JobEnvelope = {
  trigger: RunTrigger;
  run_id?: string;
  request_id?: string;
  /** The owner of the work. A worker runs one run of a job at a time per owner and lets others go first. */
  owner?: string;
  payload: Record<string, unknown>;
};

export type Queue = {
  /** The waiting job with the highest priority goes first, then the oldest. */
  send(jobId: JobId, envelope: JobEnvelope, priority?: number): Promise<void>;
  nextRunAt(jobId: JobId): Date | null;
  backlog(): Promise<Backlog[]>;
  /** Programs for the workers and their results. */
  codeRuns: CodeRuns;
  ping(): Promise<void>;
  close(): Promise<void>;
};

type WorkingQueue = Queue & {
  /** Takes jobs of a kind, up to the given number at once. */
  work(jobId: JobId, take: (envelope: JobEnvelope) => Promise<void>, atOnce?: number): Promise<void>;
  /** Takes no further jobs; active ones continue. A job already on its way may still arrive. */
  stopTaking(): void;
};

const SCHEMA = "pgboss";
const STOP_TIMEOUT_MS = 8_000;
const CONNECT_TIMEOUT_MS = 2_500;
const FINISHED_JOBS_KEPT_SECONDS = DAY_SECONDS;

type Options = { databaseUrl: string; log: Log };

/** Opens a queue for sending and reading. The worker supervises and schedules. */
export async function openQueue(options: Options): Promise<Queue> {
  return toQueue(
    await startBoss(options, { supervise: false, schedule: false, migrate: false, max: 4 }),
    options,
  );
}

/** Opens a queue that takes jobs when they are sent, runs the schedules and supervises jobs of dead workers. */
export async function openWorkingQueue(options: Options): Promise<WorkingQueue> {
  const boss = await startBoss(options, {
    migrate: false,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    max: 10,
  });
  for (const jobId of JOB_IDS) await applySchedule(boss, jobId);
  return {
    ...toQueue(boss, options, randomInt(2 ** 31)),
    work: async (jobId, take, atOnce = 1) => {
      for (let i = 0; i < atOnce; i++) await registerJobWorker(boss, jobId, take);
    },
    stopTaking: () => {
      for (const jobId of JOB_IDS) void boss.offWork(jobId, { wait: false });
    },
  };
}

async function registerJobWorker(boss: PgBoss, jobId: JobId, take: (envelope: JobEnvelope) => Promise<void>) {
  const worker: { id?: string } = {};
  worker.id = await boss.work<JobEnvelope>(
    jobId,
    { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1, localGroupConcurrency: 1 },
    async ([job]) => {
      // Without this, each job of a backlog waits for the next poll.
      if (worker.id) boss.notifyWorker(worker.id);
      if (job) await take(job.data);
    },
  );
}

/** Installs or migrates the queue's schema and creates every queue of the catalogue. Safe to run at every release. */
export async function installQueue(options: Options): Promise<void> {
  const boss = await startBoss(options, { supervise: false, schedule: false, max: 2 });
  for (const jobId of JOB_IDS) {
    const { expireInSeconds } = JOBS[jobId];
    const settings = {
      retryLimit: 0,
      expireInSeconds,
      deleteAfterSeconds: FINISHED_JOBS_KEPT_SECONDS,
      notify: true,
    };
    await boss.createQueue(jobId, settings);
    await boss.updateQueue(jobId, settings);
  }
  await createCodeRunTables(createSqlRunner(boss));
  await boss.stop({ graceful: false });
}

async function startBoss({ databaseUrl, log }: Options, role: object): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    schema: SCHEMA,
    application_name: "codeshelf",
    ...role,
  });
  boss.on("error", (error) => log.warn("queue_error", { error }));
  boss.on("warning", (warning) => log.warn("queue_warning", { warning }));
  return boss.start();
}

async function applySchedule(boss: PgBoss, jobId: JobId): Promise<void> {
  const { cron } = JOBS[jobId];
  if (cron === null) return boss.unschedule(jobId);
  const envelope: JobEnvelope = { trigger: "scheduled", payload: {} };
  await boss.schedule(jobId, cron, envelope);
}

const createSqlRunner = (boss: PgBoss) => async (text: string, values: unknown[]) =>
  (await boss.getDb().executeSql(text, values)).rows;

/** `workerNumber` is the lock by which others see that this process is alive, if it runs programs. */
function toQueue(boss: PgBoss, options: Options, workerNumber: number | null = null): Queue {
  const lock = workerNumber === null ? undefined : holdWorkerNumber(workerNumber);
  const codeRuns = createCodeRuns(
    createSqlRunner(boss),
    () => createListener({ ...options, lock }),
    workerNumber,
  );
  return {
    codeRuns,
    send: async (jobId, envelope, priority = 0) => {
      // Work that a request started has the request's id, also in the worker.
      const request_id = getRequestId();
      const group = envelope.owner === undefined ? {} : { group: { id: envelope.owner } };
      const data = request_id ? { request_id, ...envelope } : envelope;
      const id = await boss.send(jobId, data, { priority, ...group });
      if (id === null) throw new Error(`The queue did not take a ${jobId} job`);
    },
    nextRunAt: (jobId) => {
      const { cron } = JOBS[jobId];
      return cron === null ? null : (boss.previewSchedule(cron, { count: 1 })[0] ?? null);
    },
    backlog: () => listBacklog(createSqlRunner(boss)),
    ping: async () => void (await boss.getDb().executeSql("select 1")),
    close: async () => {
      await codeRuns.close();
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
