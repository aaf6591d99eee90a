import { hostname } from "node:os";
import { join } from "node:path";
import { connectMongo } from "#db/client.ts";
import { exitOnUnusableData } from "#db/core/installation/data-version.ts";
import { openWhenReady, probeMongo } from "#db/core/open-database.ts";
import { startRunMetrics } from "#db/events/event-metrics.ts";
import { createEmitter } from "#db/events/events.server.ts";
import type { WorkerReport } from "#db/jobs/documents.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openWorkingQueue } from "#db/jobs/queue.server.ts";
import { takeWorkerLock } from "#db/jobs/worker-lock.ts";
import { removeWorker } from "#db/jobs/workers.server.ts";
import { JOB_IDS, JOBS, type JobId } from "#domain/jobs/jobs.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { systemClock } from "#platform/clock.ts";
import { readEnvOrExit } from "#platform/env/env.ts";
import { generateRequestId, generateToken } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { measureEventLoop } from "#platform/metrics/event-loop-lag.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { collectGarbageWhenIdle } from "#platform/processes/idle-memory.ts";
import { closeInheritedDescriptors } from "#platform/processes/inherited-descriptors.ts";
import { openShutdown } from "#platform/processes/shutdown.ts";
import { withRequestId } from "#platform/request-id.ts";
import { createCodeRunner } from "#worker/code-runner.ts";
import { startHeartbeat } from "#worker/heartbeat.ts";
import type { WorkerServices } from "#worker/job.ts";
import { readImportConfig } from "#worker/library-import/config.ts";
import { measureCodeRunner } from "#worker/measured-code-runner.ts";
import { readMirrorConfig } from "#worker/mirror/config.ts";
import { findGitIsolation } from "#worker/mirror/git-isolation.ts";
import { findGitFault } from "#worker/mirror/git-version.ts";
import { prepareSandbox } from "#worker/prepare-sandbox.ts";
import { openPushConfig } from "#worker/push/config.ts";
import { watchForDuePushes } from "#worker/push/watch.ts";
import { runJob } from "#worker/run-job.ts";
import { createSandbox } from "#worker/sandbox/pool.ts";
import { logSandboxLayers } from "#worker/tell-layers.ts";

/** The worker process: takes jobs from the queue, records each run and sends heartbeats. */
const STOP_DEADLINE_MS = 11_000;
/** No person waits for a job, but a query that never ends would keep the job from being retried. */
const DATABASE_TIMEOUT_MS = 2 * MINUTE_MS;
/** The final part of a move is shorter than this for most libraries, so waiting jobs need not fail. */
const PAUSED_WAIT_MS = MINUTE_MS;
const REPO_SYNCS_AT_ONCE = 2;

closeInheritedDescriptors();
const env = readEnvOrExit("worker");
const log = createLog({ process: "worker", level: env.logLevel });
const shutdown = openShutdown({ deadlineMs: STOP_DEADLINE_MS, log });
const clock = systemClock;
const workerId = `${hostname()}-${process.pid}-${generateToken(4)}`;

const metrics = createMetrics();
startRunMetrics(metrics);
measureEventLoop(metrics);
collectGarbageWhenIdle();
const { signal } = shutdown;
const mongo = await openWhenReady({ name: "MongoDB", uri: env.mongodbUri, log, signal }, async () => {
  await probeMongo(env.mongodbUri);
  const opened = await connectMongo(env.mongodbUri, {
    appName: "codeshelf-worker",
    timeoutMs: DATABASE_TIMEOUT_MS,
    metrics,
    whilePaused: { waitMs: PAUSED_WAIT_MS },
  });
  await exitOnUnusableData(opened.collections, log);
  return opened;
});
shutdown.defer("mongodb", () => mongo.close());
const emitter = createEmitter({ collections: mongo.collections, log, metrics, clock });
shutdown.defer("events", () => emitter.close());
const db = { ...mongo.collections, emit: emitter.emit, limits: env.storage };
const queue = await openWhenReady({ name: "PostgreSQL", uri: env.databaseUrl, log, signal }, () =>
  openWorkingQueue({ databaseUrl: env.databaseUrl, log }),
);
shutdown.defer("queue", () => queue.close());
// Taking stops before any run is given up, because another worker takes a run that is queued again.
signal.addEventListener("abort", () => queue.stopTaking());
// The previous holder of the lock is gone and may have left runs open.
const reconcile = () => triggerJob(db, queue, "orphan_reconcile", "startup", clock());
const lock = await takeWorkerLock(env.databaseUrl, {
  onTaken: () => void reconcile().catch((error) => log.warn("reconcile_not_queued", { error })),
});
shutdown.defer("lock", () => lock.release());

const gitFault = await findGitFault();
if (gitFault) log.warn(gitFault, { jobs: ["repo_sync"] });
const gitIsolation = gitFault ? null : await findGitIsolation(log);
const words: WorkerReport = { git_fault: gitFault };
const heartbeat = await startHeartbeat({ db, log, clock, workerId, metrics, words });
shutdown.defer("heartbeat", async () => {
  heartbeat.stop();
  await removeWorker(db, workerId);
});

const push = openPushConfig(env, clock, metrics);
shutdown.defer("push", () => push.close());
const sandbox = createSandbox({
  size: env.codePoolSize,
  cacheDir: join(env.dataDir, "sandbox"),
  without: env.codeSandboxWithout,
  required: env.codeSandboxRequire,
  log,
});
shutdown.defer("sandbox", () => sandbox.close());
void logSandboxLayers({ sandbox, isGitIsolated: gitIsolation !== null, words, metrics, log });
const runCode = await createCodeRunner({ db, codeRuns: queue.codeRuns, sandbox, log });
if (env.production && env.codeExecutionEnabled) sandbox.warm();
else prepareSandbox({ env, db, sandbox, log });
const services: WorkerServices = {
  db,
  log,
  clock,
  workerId,
  lock,
  push,
  runCode: measureCodeRunner(runCode, metrics),
  mirror: readMirrorConfig(env, gitIsolation),
  imports: readImportConfig(env),
  backups: env.backups && {
    ...env.backups,
    dataDirectory: env.dataDir,
    uri: env.mongodbUri,
    since: clock(),
  },
  sendBack: (jobId, envelope) => queue.send(jobId, envelope),
  requeue: (jobId, trigger, payload, owner) => triggerJob(db, queue, jobId, trigger, clock(), payload, owner),
};
const atOnce: Partial<Record<JobId, number>> = { code_run: env.codePoolSize, repo_sync: REPO_SYNCS_AT_ONCE };
for (const jobId of JOB_IDS) {
  await queue.work(jobId, (envelope) => runJob(services, jobId, envelope, shutdown.signal), atOnce[jobId]);
  if (JOBS[jobId].atStartup) await triggerJob(db, queue, jobId, "startup", clock());
}
const watching = watchForDuePushes(services, shutdown.signal);
shutdown.defer("watch", () => watching);
withRequestId(generateRequestId(), () =>
  emitter.emit("internal_worker_started", { worker_id: workerId, jobs: JOB_IDS.length }),
);
process.send?.({ ready: true });
