import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findResource, isNamingField } from "#domain/events/event-resource.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { eventDocument } from "#tests/domain/events/event-document.ts";

const names = Object.keys(EVENTS) as EventName[];

describe("the catalogue of events", () => {
  it("names every event in snake case and says it in Hebrew", () => {
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)+$/.test(name))).toEqual([]);
    expect(names.filter((name) => !/[א-ת]/.test(EVENTS[name].msg_he))).toEqual([]);
  });

  it("keeps reconcile events of jobs and of a single run apart by their beginning", () => {
    const ofJobs = names.filter((name) => name.startsWith("jobs_orphan_reconcile"));
    expect(ofJobs).toHaveLength(3);
    expect(names.filter((name) => name.startsWith("job_run_"))).toEqual(["job_run_reconcile_skipped"]);
  });

  it("refuses a field that an event does not have", () => {
    const { fields } = EVENTS.business_metric;
    expect(fields.safeParse({ metric: "login" }).success).toBe(true);
    expect(fields.safeParse({ metric: "login", first_name: "Dana" }).success).toBe(false);
  });
});

describe("an event", () => {
  const withoutResource = names.filter(
    (name) => EVENTS[name].fields.shape.resource.safeParse(undefined).success,
  );
  const isNamed = (name: EventName) => Object.keys(EVENTS[name].fields.shape).some(isNamingField);

  it("cannot leave out what it is about, unless its own fields say it or it is not about one thing", () => {
    expect(withoutResource.filter((name) => !isNamed(name))).toEqual([
      ...["internal_web_started", "request_failed", "auth_refused", "account_deleted", "events_dropped"],
      ...["alerts_parse_error", "push_subscriptions_cleanup", "job_runs_reconciled"],
      ...["skipped", "timed_out", "failed"].map((end) => `jobs_orphan_reconcile_${end}`),
      "business_metric",
    ]);
  });

  it("that has a field naming a thing is about that thing", () => {
    expect(withoutResource.filter(isNamed).length).toBeGreaterThan(9);
    expect(findResource({ job_id: "backup", run_id: "r1" })).toEqual({ type: "job_run", id: "r1" });
    expect(findResource({ job_id: "backup", run_id: "" })).toBeNull();
  });
});

it("docs/events.md describes every event with its fields, and no other", () => {
  const written = readFileSync(join(PROJECT_ROOT, "docs/events.md"), "utf8");
  expect(written).toBe(eventDocument());
});

/** The names in the interface, in its order. */
const SPECIFIED =
  `codehost_rate_limit_check codehost_upload_start codehost_upload_saved_error codehost_upload_direct_error
  codehost_import_repo_error codehost_sync db_get_latest_version_error db_save_code_snippet_error db_delete_file_error
  db_recycle_bin_ttl_index_missing share_view_error share_view_not_found internal_web_started alert_received alerts_parse_error
  push_subscribed push_unsubscribed push_subscriptions_cleanup push_subscriptions_delete_all push_deleted_dead_endpoints
  sw_push_report push_send_attempt push_send_error push_send_no_subscriptions push_send_missing_vapid_private
  push_event_send_attempt push_event_unknown_kind push_event_delivery_exhausted push_test_result push_test_local_error
  push_test_worker_error job_started job_completed job_failed job_skipped job_stuck job_runs_reconciled
  jobs_orphan_reconcile_skipped jobs_orphan_reconcile_timed_out jobs_orphan_reconcile_failed job_run_reconcile_skipped
  repo_analysis_start repo_analysis_parsed repo_analysis_done repo_analysis_error business_metric`.split(
    /\s+/,
  );

it("the specified events are all in the catalogue", () => {
  expect(SPECIFIED).toHaveLength(46);
  expect(SPECIFIED.filter((name) => !names.includes(name as EventName))).toEqual([]);
});
