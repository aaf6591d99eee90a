import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

/** Which test causes each specified event for real and reads it back from the store. */
const CAUSES: Record<string, string> = {
  db_get_latest_version_error: "db/file-edits",
  db_save_code_snippet_error: "db/files",
  db_delete_file_error: "db/bin",
  db_recycle_bin_ttl_index_missing: "db/bin",
  share_view_error: "routes/shares",
  share_view_not_found: "routes/shares",
  internal_web_started: "routes/process",
  alert_received: "routes/observability",
  alerts_parse_error: "routes/observability",
  push_subscribed: "routes/push",
  push_unsubscribed: "routes/push",
  push_subscriptions_cleanup: "routes/push",
  push_subscriptions_delete_all: "routes/push",
  push_deleted_dead_endpoints: "worker/reminder-push",
  sw_push_report: "routes/push",
  push_send_attempt: "worker/reminder-push",
  push_send_error: "worker/reminder-push",
  push_send_no_subscriptions: "worker/reminder-push",
  push_send_missing_vapid_private: "routes/push",
  push_event_send_attempt: "worker/push-events",
  push_event_unknown_kind: "worker/push-events",
  push_event_delivery_exhausted: "worker/push-events",
  push_test_result: "routes/push",
  push_test_local_error: "routes/push",
  push_test_worker_error: "routes/push",
  job_started: "worker/run-job",
  job_completed: "worker/run-job",
  job_failed: "worker/run-job",
  job_skipped: "worker/run-job",
  job_stuck: "worker/watching",
  job_runs_reconciled: "worker/watching",
  jobs_orphan_reconcile_skipped: "worker/watching",
  jobs_orphan_reconcile_timed_out: "worker/watching",
  jobs_orphan_reconcile_failed: "worker/watching",
  job_run_reconcile_skipped: "worker/watching",
  business_metric: "db/files",
  codehost_import_repo_error: "worker/repo-import",
  codehost_rate_limit_check: "routes/codehost",
  codehost_upload_start: "routes/codehost",
  codehost_upload_saved_error: "routes/codehost",
  codehost_upload_direct_error: "routes/codehost",
  codehost_sync: "worker/repo-sync",
  repo_analysis_start: "worker/repo-analysis",
  repo_analysis_parsed: "worker/repo-analysis",
  repo_analysis_done: "worker/repo-analysis",
  repo_analysis_error: "worker/repo-analysis",
};

const sources = ["app", "db", "worker"].flatMap((room) =>
  readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("engine"))
    .map((name) => readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
);
const isEmitted = (name: string) => sources.some((source) => source.includes(`"${name}"`));

describe("the 46 specified events", () => {
  it("are each emitted, and caused by a test", () => {
    expect(Object.keys(CAUSES)).toHaveLength(46);
    expect(Object.keys(CAUSES).filter((name) => !isEmitted(name))).toEqual([]);
  });

  it.each(Object.entries(CAUSES))("%s is read back in %s", (name, file) => {
    const source = readFileSync(join(PROJECT_ROOT, "tests", `${file}.test.ts`), "utf8");
    expect(source).toMatch(new RegExp(`["'\`]${name}\\b`));
  });
});
