import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";

/**
 * Which test causes each event for real and reads it back by `events("…")`, which holds it to the catalogue and to its line in
 * the log (tests/support/events/event-proof.ts). A name without a row does not compile.
 */
const CAUSES: Record<EventName, string> = {
  db_get_latest_version_error: "db/files/file-edits",
  db_save_code_snippet_error: "db/files/files",
  db_delete_file_error: "db/files/trash",
  db_recycle_bin_ttl_index_missing: "db/files/trash",
  share_view_error: "routes/shares",
  share_view_not_found: "routes/shares",
  internal_web_started: "routes/http/process",
  alert_received: "routes/operators/observability",
  alerts_parse_error: "routes/operators/observability",
  push_subscribed: "routes/reminders/push",
  push_unsubscribed: "routes/reminders/push",
  push_subscriptions_cleanup: "routes/reminders/push",
  push_subscriptions_delete_all: "routes/reminders/push",
  push_deleted_dead_endpoints: "worker/reminder-push",
  sw_push_report: "routes/reminders/push",
  push_send_attempt: "worker/reminder-push",
  push_send_error: "worker/reminder-push",
  push_send_no_subscriptions: "worker/reminder-push",
  push_send_missing_vapid_private: "routes/reminders/push",
  push_event_send_attempt: "worker/push-events",
  push_event_unknown_kind: "worker/push-events",
  push_event_delivery_exhausted: "worker/push-events",
  push_test_result: "routes/reminders/push",
  push_test_local_error: "routes/reminders/push",
  push_test_worker_error: "routes/reminders/push",
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
  business_metric: "db/files/files",
  codehost_import_repo_error: "worker/repo-import",
  codehost_rate_limit_check: "routes/repos/codehost",
  codehost_upload_start: "routes/repos/codehost",
  codehost_upload_saved_error: "routes/repos/codehost",
  codehost_upload_direct_error: "routes/repos/codehost",
  codehost_sync: "worker/repo-sync",
  repo_analysis_start: "worker/repo-analysis",
  repo_analysis_parsed: "worker/repo-analysis",
  repo_analysis_done: "worker/repo-analysis",
  repo_analysis_error: "worker/repo-analysis",

  search_index_error: "db/search/segment-merge",
  db_index_create_error: "routes/operators/operators",
  internal_worker_started: "worker/process",
  request_failed: "routes/outage",
  share_created: "routes/private-words",
  share_revoked: "routes/private-words",
  auth_refused: "routes/sign-in/login",
  token_created: "routes/private-words",
  token_revoked: "routes/private-words",
  feed_address_made: "routes/reminders/feeds",
  feed_address_revoked: "routes/reminders/feeds",
  sessions_revoked: "db/accounts/sessions",
  credentials_revoked: "db/accounts/sessions",
  identity_joined: "db/accounts/identities",
  identity_parted: "db/accounts/identities",
  invitation_created: "routes/accounts/invitations",
  join_requested: "routes/accounts/invitations",
  join_request_answered: "routes/accounts/invitations",
  share_keys_revoked: "routes/accounts/credentials",
  account_locked: "routes/accounts/account-lock",
  account_unlocked: "routes/accounts/account-lock",
  account_deleted: "db/accounts/account",
  library_imported: "worker/library-import",
  library_import_refused: "worker/library-import",
  library_import_failed: "worker/library-import",
  user_role_set: "routes/accounts/people",
  announcement_activated: "routes/private-words",
  alert_raised: "db/alerts/alerts",
  alert_ended: "db/alerts/alerts",
  events_dropped: "db/events",
};

const sources = ["app", "db", "worker"].flatMap((room) =>
  readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("engine"))
    .map((name) => readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
);
const isEmitted = (name: string) => sources.some((source) => source.includes(`"${name}"`));

describe("every event of the catalogue", () => {
  it("is emitted, and caused by a test", () => {
    expect(new Set(Object.keys(CAUSES))).toEqual(new Set(Object.keys(EVENTS)));
    expect(Object.keys(CAUSES).filter((name) => !isEmitted(name))).toEqual([]);
  });

  it.each(Object.entries(CAUSES))("%s is caused and read back in %s", (name, file) => {
    const source = readFileSync(join(PROJECT_ROOT, "tests", `${file}.test.ts`), "utf8");
    const readings = [...source.matchAll(new RegExp(`\\bevents\\(\\s*["'\`]${name}["'\`]`, "g"))];
    expect(readings.length).toBeGreaterThan(0);
    // Read only to say that there is none proves nothing.
    const found = readings.filter(({ index }) => !/^[^;]{0,80}toEqual\(\[\]\)/.test(source.slice(index)));
    expect(found.length).toBeGreaterThan(0);
  });
});

const error = ["error"];
/** What the interface says of fields; all events have event, severity, request_id, timestamp and msg_he besides. */
const SPECIFIED_FIELDS: Partial<Record<EventName, { severity?: string; fields: string[] }>> = {
  codehost_upload_saved_error: { severity: "error", fields: ["error"] },
  codehost_upload_direct_error: { severity: "error", fields: ["error"] },
  codehost_import_repo_error: { severity: "error", fields: ["error"] },
  db_get_latest_version_error: { severity: "error", fields: error },
  db_save_code_snippet_error: { severity: "error", fields: error },
  db_delete_file_error: { severity: "error", fields: error },
  share_view_error: { fields: ["share_id", "error"] },
  share_view_not_found: { fields: ["share_id"] },
  push_send_error: { fields: ["endpoint_hash"] },
  job_runs_reconciled: { severity: "warn", fields: ["count", "skipped", "truncated", "job_ids_sample"] },
  jobs_orphan_reconcile_skipped: { fields: ["reason"] },
};

describe("the specified fields", () => {
  it.each(Object.entries(SPECIFIED_FIELDS))("of %s cannot be left out", (name, { severity, fields }) => {
    const spec = EVENTS[name as EventName];
    if (severity) expect(spec.severity).toBe(severity);
    const shape = spec.fields.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>;
    expect(fields.filter((field) => shape[field]?.safeParse(undefined).success !== false)).toEqual([]);
  });

  it("of uploads name the repository, or none", () => {
    const resource = { type: "repo", id: "r1" };
    for (const name of ["codehost_upload_saved_error", "codehost_import_repo_error"] as const)
      for (const repo of ["dana/tools", null])
        expect(EVENTS[name].fields.safeParse({ error: "x", repo, resource }).success).toBe(true);
  });
});
