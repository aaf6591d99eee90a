import { isStorageFault } from "#db/core/faults.server.ts";
import { listSilentRuns } from "#db/jobs/job-run-lists.server.ts";
import { closeOrphanedRun, type JobRun } from "#db/jobs/job-runs.server.ts";
import { HEARTBEAT_STALE_MS } from "#domain/jobs/job-run.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { readError } from "#platform/read-error.ts";
import type { JobHandler, Work, WorkerServices } from "#worker/job.ts";

const RUNS_MAX = 2_000;
const SAMPLE_MAX = 20;
const REPORT_EVERY_RUNS = 50;
const RECONCILE_TIMEOUT_SECS = 120;

/**
 * Closes the runs of dead workers: runs that began before this worker got the lock and have been silent since. One process at a
 * time does this, and each run is closed by a single conditional update.
 */
export const orphanReconcile: JobHandler<"orphan_reconcile"> = async ({ services, report, writeLog }) => {
  const { db, log } = services;
  if (!services.lock.held) {
    writeLog("Another worker holds the lock");
    return reportSkipped(services, "no_lock");
  }
  try {
    const silentSince = new Date(services.clock().getTime() - HEARTBEAT_STALE_MS);
    const silentRuns = await listSilentRuns(db, services.lock.acquiredAt, silentSince, RUNS_MAX + 1);
    writeLog(`Found ${silentRuns.length} runs of stopped workers`);
    const summary = await closeRuns(services, silentRuns.slice(0, RUNS_MAX), report);
    writeLog(`Closed ${summary.count}; ${summary.skipped} had ended meanwhile`);
    const reconciled = { ...summary, truncated: silentRuns.length > RUNS_MAX };
    if (summary.count > 0 || summary.skipped > 0) db.emit("job_runs_reconciled", reconciled);
    else log.info("job_runs_reconciled", { count: 0 });
    return reconciled;
  } catch (error) {
    if (isStorageFault(error)) return reportSkipped(services, "no_db");
    log.error("jobs_orphan_reconcile_failed", { error });
    db.emit("jobs_orphan_reconcile_failed", { error: readError(error).message.slice(0, 500) });
    throw error;
  }
};

function reportSkipped({ db }: WorkerServices, reason: "no_lock" | "no_db") {
  db.emit("jobs_orphan_reconcile_skipped", { reason });
  return { skipped: reason };
}

type Report = Work<"orphan_reconcile">["report"];
type Reconciled = { count: number; skipped: number; job_ids_sample: string[] };

async function closeRuns({ db, clock }: WorkerServices, runs: JobRun[], report: Report) {
  const summary: Reconciled = { count: 0, skipped: 0, job_ids_sample: [] };
  const deadlineMs = clock().getTime() + RECONCILE_TIMEOUT_SECS * SECOND_MS;
  for (const [i, run] of runs.entries()) {
    if (i % REPORT_EVERY_RUNS === 0) await report({ processed_items: i, total_items: runs.length });
    if (clock().getTime() > deadlineMs) {
      db.emit("jobs_orphan_reconcile_timed_out", {
        count: summary.count,
        timeout_seconds: RECONCILE_TIMEOUT_SECS,
      });
      break;
    }
    if (await closeOrphanedRun(db, run, clock())) {
      summary.count += 1;
      const { job_ids_sample: sample } = summary;
      if (sample.length < SAMPLE_MAX && !sample.includes(run.job_id)) sample.push(run.job_id);
    } else {
      summary.skipped += 1;
      db.emit("job_run_reconcile_skipped", { job_id: run.job_id, run_id: run.run_id });
    }
  }
  if (runs.length > 0)
    await report({ processed_items: summary.count + summary.skipped, total_items: runs.length });
  return summary;
}
