import {
  claimRun,
  closeCancelledRun,
  closeRunOfStoppingWorker,
  completeRun,
  createRun,
  failRun,
  type JobRun,
  type LogLine,
  recordRunHeartbeat,
  recordRunProgress,
  skipRun,
} from "#db/jobs/job-runs.server.ts";
import { findJobSetting } from "#db/jobs/job-settings.server.ts";
import type { JobEnvelope } from "#db/jobs/queue.server.ts";
import { RUN_LOG_LINES } from "#domain/jobs/job-run.ts";
import { JOBS, type JobId, type JobSpec } from "#domain/jobs/jobs.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import { withRequestId } from "#platform/request-id.ts";
import { redact } from "#platform/secrets/redact.ts";
import { HANDLERS } from "#worker/handlers.ts";
import type { JobHandler, WorkerServices } from "#worker/job.ts";
import { RunCancelled } from "#worker/run-cancelled.ts";

// Short, because a heartbeat tells the run that it was cancelled.
const HEARTBEAT_EVERY_MS = 3 * SECOND_MS;
const LINE_MAX_CHARS = 500;

/**
 * Runs a job from the queue to its end and records the result. A requested run already has its record; a scheduled one gets it
 * here. The queue may deliver twice: only a pending record can be claimed.
 */
export async function runJob(
  services: WorkerServices,
  jobId: JobId,
  envelope: JobEnvelope,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, workerId } = services;
  if (signal.aborted) return services.sendBack?.(jobId, envelope);
  // Requested runs have a record and are sent again when the job is resumed; scheduled ones come again by themselves.
  const { enabled, paused } = await findJobSetting(db, jobId);
  if (paused) return;
  const { run_id, trigger, payload } = envelope;
  const run = run_id
    ? { run_id, job_id: jobId, trigger }
    : await createRun(db, jobId, trigger, clock(), { payload });
  return withRequestId(envelope.request_id ?? run.run_id, async () => {
    if (!enabled) return void (await skipRun(db, run, "disabled", clock()));
    const claimed = await claimRun(db, run, workerId, clock());
    // This changes nothing if the run is no longer pending; if it is pending, another run of the job is active.
    if (!claimed) return void (await skipRun(db, run, "already_running", clock()));
    await runClaimed(services, claimed, payload, signal);
  });
}

/** A run that is given up because the worker stops has not failed: another worker starts it again. */
async function requeueStoppedRun(
  { db, clock, requeue }: WorkerServices,
  run: JobRun,
  payload: Payload,
  lines: LogLine[],
): Promise<void> {
  const spec: JobSpec = JOBS[run.job_id];
  if ((await closeRunOfStoppingWorker(db, run, clock(), lines)) && !spec.onceOnly)
    await requeue?.(run.job_id, run.trigger, payload);
}

type Payload = JobEnvelope["payload"];

async function runClaimed(
  services: WorkerServices,
  run: JobRun,
  payload: Payload,
  stopping: AbortSignal,
): Promise<void> {
  const { db, clock, log } = services;
  const cancellation = new AbortController();
  const lines = createRunLog(clock);
  const heartbeat = setInterval(() => {
    recordRunHeartbeat(db, run.run_id, clock(), lines.take())
      .then((mayContinue) => mayContinue || cancellation.abort(new RunCancelled()))
      .catch((error) => log.warn("run_heartbeat_failed", { error }));
  }, services.runHeartbeatMs ?? HEARTBEAT_EVERY_MS);
  try {
    // A handler takes the payload of its own job, which the compiler cannot follow by name.
    const handler = HANDLERS[run.job_id] as JobHandler<JobId>;
    const result = await handler({
      services,
      payload: JOBS[run.job_id].payload.parse(payload),
      trigger: run.trigger,
      signal: AbortSignal.any([stopping, cancellation.signal]),
      report: (progress) => recordRunProgress(db, run.run_id, progress, clock(), lines.take()),
      writeLog: lines.write,
    });
    if (!lines.isUsed() && typeof result.outcome === "string") lines.write(`Ended: ${result.outcome}`);
    if (cancellation.signal.aborted) await closeCancelledRun(db, run, clock(), lines.take());
    else await completeRun(db, run, result, clock(), lines.take());
  } catch (error) {
    if (cancellation.signal.aborted) return void (await closeCancelledRun(db, run, clock(), lines.take()));
    if (stopping.aborted) return requeueStoppedRun(services, run, payload, lines.take());
    log.error("job_threw", { job_id: run.job_id, error });
    await failRun(db, run, error, clock(), lines.take());
  } finally {
    clearInterval(heartbeat);
  }
}

/** Collects lines until the next write of the run's record. */
function createRunLog(clock: Clock) {
  let waiting: LogLine[] = [];
  let isUsed = false;
  return {
    write: (line: string) => {
      isUsed = true;
      waiting.push({ at: clock(), line: redact(line).slice(0, LINE_MAX_CHARS) });
    },
    /** True if the handler wrote a line; a run without any gets a line with its outcome. */
    isUsed: () => isUsed,
    take: () => {
      const lines = waiting.slice(-RUN_LOG_LINES);
      waiting = [];
      return lines;
    },
  };
}
