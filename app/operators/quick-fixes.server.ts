import { findAlert } from "#db/alerts/alerts.server.ts";
import { recordQuickFixUse } from "#db/alerts/quick-fix-uses.server.ts";
import type { Db } from "#db/client.ts";
import { retryRun } from "#db/jobs/job-retry.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { buildIndexes } from "#db/open/indexes/index-report.server.ts";
import type { Alert } from "#domain/alerts/alert.ts";
import { listQuickFixes, QUICK_FIX_ACTIONS, type QuickFixAction } from "#domain/alerts/quick-fixes.ts";
import { isDueJob, isJobId, isStartable } from "#domain/jobs/jobs.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type FixServices = { db: Db; queue: Queue };

type FixAction = (services: FixServices, alert: Alert, now: Date) => Promise<boolean>;

/** Each action returns true if it succeeded. */
const FIX_ACTIONS: Record<QuickFixAction, FixAction> = {
  // Retries the failed run with its arguments, or starts the job if that run no longer exists.
  retry_job: async ({ db, queue }, { metadata: { job_id, run_id } }, now) => {
    const result = await retryRun(db, queue, String(run_id), now);
    if (!isRefusal(result)) return true;
    const jobId = String(job_id);
    if (result.refused === "run_already_retried" || !isJobId(jobId)) return false;
    if (!isDueJob(jobId) && !isStartable(jobId)) return false;
    await triggerJob(db, queue, jobId, "manual", now);
    return true;
  },
  rebuild_indexes: async ({ db }) => (await buildIndexes(db)).failed === 0,
};

const isAction = (actionId: string): actionId is QuickFixAction =>
  QUICK_FIX_ACTIONS.some((action) => action === actionId);

export async function applyQuickFix(
  services: FixServices,
  userId: string,
  use: { alert_uid: string; action_id: string },
  now: Date,
): Promise<{ action_id: QuickFixAction } | Refusal> {
  const { alert_uid, action_id } = use;
  const alert = await findAlert(services.db, alert_uid);
  if (!alert) return Refusal("alert_not_found", { alert_uid });
  const isOffered = listQuickFixes(alert).some((fix) => fix.action_id === action_id);
  if (!isOffered || !isAction(action_id)) return Refusal("quick_fix_not_found", { action_id });
  if (!(await FIX_ACTIONS[action_id](services, alert, now)))
    return Refusal("quick_fix_failed", { action_id });
  await recordQuickFixUse(services.db, userId, use, now);
  return { action_id };
}
