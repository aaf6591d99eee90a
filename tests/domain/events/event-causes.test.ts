import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";

/**
 * The test that causes each event for real and reads it by `events("…")`, which checks it against the catalogue and its log line
 * (tests/support/events/event-proof.ts).
 */
const CAUSED_IN: Record<string, string> = {
  "db/files/file-edits": "db_get_latest_version_error",
  "db/files/files": "db_save_code_snippet_error business_metric",
  "db/files/trash": "db_delete_file_error db_recycle_bin_ttl_index_missing",
  "routes/shares": "share_view_error share_view_not_found",
  "routes/http/process": "internal_web_started",
  "routes/operators/observability": "alert_received alerts_parse_error",
  "routes/reminders/push":
    "push_subscribed push_unsubscribed push_subscriptions_cleanup push_subscriptions_delete_all " +
    "sw_push_report push_send_missing_vapid_private push_test_result push_test_local_error " +
    "push_test_worker_error",
  "worker/reminder-push":
    "push_deleted_dead_endpoints push_send_attempt push_send_error push_send_no_subscriptions",
  "worker/push-events": "push_event_send_attempt push_event_unknown_kind push_event_delivery_exhausted",
  "worker/run-job": "job_started job_completed job_failed job_skipped",
  "worker/watching":
    "job_stuck job_runs_reconciled jobs_orphan_reconcile_skipped jobs_orphan_reconcile_timed_out " +
    "jobs_orphan_reconcile_failed job_run_reconcile_skipped",
  "worker/repo-import": "codehost_import_repo_error",
  "routes/repos/codehost":
    "codehost_rate_limit_check codehost_upload_start codehost_upload_saved_error " +
    "codehost_upload_direct_error",
  "worker/repo-sync": "codehost_sync",
  "worker/repo-analysis": "repo_analysis_start repo_analysis_parsed repo_analysis_done repo_analysis_error",
  "db/search/segment-merge": "search_index_error",
  "routes/operators/operators": "db_index_create_error",
  "worker/process": "internal_worker_started",
  "routes/outage": "request_failed",
  "routes/private-words": "share_created share_revoked token_created token_revoked announcement_activated",
  "routes/sign-in/login": "auth_refused",
  "routes/reminders/feeds": "feed_address_made feed_address_revoked",
  "db/accounts/users": "sessions_revoked",
  "db/accounts/identities": "identity_joined identity_parted",
  "routes/accounts/invitations": "invitation_created join_requested join_request_answered",
  "routes/accounts/credentials": "share_keys_revoked",
  "routes/accounts/account-lock": "account_locked account_unlocked",
  "db/accounts/account": "account_deleted",
  "worker/library-import": "library_imported library_import_refused library_import_failed",
  "routes/accounts/people": "credentials_revoked user_role_set",
  "db/alerts/alerts": "alert_raised alert_ended",
  "db/events": "events_dropped",
};
const CAUSES = Object.entries(CAUSED_IN).flatMap(([file, names]) =>
  names.split(" ").map((name) => [name, file] as const),
);

const sources = ["app", "db", "worker"].flatMap((room) =>
  readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("engine"))
    .map((name) => readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
);
const isEmitted = (name: string) => sources.some((source) => source.includes(`"${name}"`));

describe("every event of the catalogue", () => {
  it("is emitted, and caused by a test", () => {
    expect(CAUSES.map(([name]) => name).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
    expect(Object.keys(EVENTS).filter((name) => !isEmitted(name))).toEqual([]);
  });

  it.each(CAUSES)("%s is caused and read back in %s", (name, file) => {
    const source = readFileSync(join(PROJECT_ROOT, "tests", `${file}.test.ts`), "utf8");
    const readings = [...source.matchAll(new RegExp(`\\bevents\\(\\s*["'\`]${name}["'\`]`, "g"))];
    expect(readings.length).toBeGreaterThan(0);
    // A reading that only expects no event proves nothing.
    const proofs = readings.filter(({ index }) => !/^[^;]{0,80}toEqual\(\[\]\)/.test(source.slice(index)));
    expect(proofs.length).toBeGreaterThan(0);
  });
});

const error = ["error"];
/** Fields in the interface; every event also has event, severity, request_id, timestamp and msg_he. */
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
