import { listActiveRuns } from "#db/jobs/job-run-lists.server.ts";
import { closeOrphanedRun, setRunReportedStuck } from "#db/jobs/job-runs.server.ts";
import { listPausedJobs } from "#db/jobs/job-settings.server.ts";
import { sendLostRuns } from "#db/jobs/job-waiting.server.ts";
import { stuckReason } from "#domain/jobs/job-run.ts";
import type { JobHandler } from "#worker/job.ts";
import { requeueAbandonedImports } from "#worker/library-import/take-over.ts";
import { requeueAbandonedSyncs } from "#worker/mirror/abandoned.ts";

const RUNS_MAX = 1_000;

/**
 * Reports each silent or slow run once and closes the silent ones, because a worker that is killed and restarted at once finds its own runs
 * too recent to close. Syncs and imports of stopped workers start again, and runs that wait too long are queued again.
 */
export const stuckMonitor: JobHandler<"stuck_monitor"> = async ({ services, report, writeLog }) => {
  const { db, clock } = services;
  const now = clock();
  const running = await listActiveRuns(db, RUNS_MAX);
  writeLog(`Looked at ${running.length} runs at work`);
  let reported = 0;
  let closed = 0;
  for (const run of running) {
    const reason = stuckReason(run, now);
    if (!reason) continue;
    if (await setRunReportedStuck(db, run, now)) {
      const ms = now.getTime() - (run.started_at ?? run.created_at).getTime();
      db.emit("job_stuck", { job_id: run.job_id, run_id: run.run_id, reason, ms });
      reported += 1;
      writeLog(`Run ${run.run_id} of ${run.job_id} is stuck: ${reason}`);
    }
    if (reason === "heartbeat_stale" && (await closeOrphanedRun(db, run, now))) closed += 1;
  }
  await report({ processed_items: running.length, total_items: running.length });
  const sent_again = services.sendBack
    ? await sendLostRuns(db, services.sendBack, await listPausedJobs(db), now)
    : 0;
  const taken_over = (await requeueAbandonedSyncs(services)) + (await requeueAbandonedImports(services));
  if (closed > 0) writeLog(`Closed ${closed} runs whose worker stopped`);
  if (sent_again > 0) writeLog(`Put ${sent_again} waiting runs into the queue again`);
  if (taken_over > 0) writeLog(`Began ${taken_over} syncs and imports of stopped workers anew`);
  return { running: running.length, reported, closed, sent_again, taken_over };
};
