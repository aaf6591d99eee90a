import type { JobId } from "#domain/jobs/jobs.ts";
import type { JobHandler } from "#worker/job.ts";
import { accountRemoval } from "#worker/jobs/account-removal.ts";
import { handleBackup } from "#worker/jobs/backup.ts";
import { codeRun } from "#worker/jobs/code-run.ts";
import { libraryImport } from "#worker/jobs/library-import.ts";
import { metricsRollup } from "#worker/jobs/metrics-rollup.ts";
import { orphanReconcile } from "#worker/jobs/orphan-reconcile.ts";
import { pushEvents } from "#worker/jobs/push-events.ts";
import { handleSubscriptionsCleanup } from "#worker/jobs/push-subscriptions-cleanup.ts";
import { pushTest } from "#worker/jobs/push-test.ts";
import { reminderPush } from "#worker/jobs/reminder-push.ts";
import { repoAnalysis } from "#worker/jobs/repo-analysis.ts";
import { repoImport } from "#worker/jobs/repo-import.ts";
import { repoSync } from "#worker/jobs/repo-sync.ts";
import { searchMerge } from "#worker/jobs/search-merge.ts";
import { stuckMonitor } from "#worker/jobs/stuck-monitor.ts";
import { trashCheck } from "#worker/jobs/trash-check.ts";

/** A job without a handler does not compile. */
export const HANDLERS: { [Id in JobId]: JobHandler<Id> } = {
  stuck_monitor: stuckMonitor,
  orphan_reconcile: orphanReconcile,
  trash_check: trashCheck,
  account_removal: accountRemoval,
  search_merge: searchMerge,
  backup: handleBackup,
  metrics_rollup: metricsRollup,
  reminder_push: reminderPush,
  push_events: pushEvents,
  push_subscriptions_cleanup: handleSubscriptionsCleanup,
  push_test: pushTest,
  repo_sync: repoSync,
  repo_import: repoImport,
  library_import: libraryImport,
  repo_analysis: repoAnalysis,
  code_run: codeRun,
};
