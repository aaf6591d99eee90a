import { describe, expect, it } from "vitest";
import {
  ALERT_RULES,
  ALERT_SOURCES,
  type Alert,
  COOLDOWN_MINUTES,
  isAlertRule,
  MUTE_MINUTES_MAX,
  PROMETHEUS_RULES,
  parseSeverityLabel,
} from "#domain/alerts/alert.ts";
import { alertQuestion, explainAlert } from "#domain/alerts/alert-explanation.ts";
import { alertToExplain, muteRequest, quickFixUse } from "#domain/alerts/alert-schema.ts";
import { listQuickFixes, QUICK_FIX_ACTIONS } from "#domain/alerts/quick-fixes.ts";
import { checkBySchema } from "#domain/schema.ts";
import { mapKeys } from "#domain/typed-keys.ts";

describe("an alert", () => {
  it("comes from Alertmanager or from our own rules, which stay quiet for a while", () => {
    expect(ALERT_SOURCES).toEqual(["alertmanager", "internal"]);
    expect(Object.entries(COOLDOWN_MINUTES)).toEqual([
      ["high_error_rate", 15],
      ["slow_endpoint", 30],
      ["job_failed", 15],
      ["job_stuck", 15],
      ["ttl_index_missing", 60],
      ["push_exhausted", 30],
      ["events_dropped", 15],
      ["backup_late", 60],
    ]);
    expect([...ALERT_RULES]).toEqual(Object.keys(COOLDOWN_MINUTES));
    expect([isAlertRule("job_failed"), isAlertRule("disk_full")]).toEqual([true, false]);
  });

  it.each([
    ["critical", ["critical", "page", "emergency", "CRITICAL"]],
    ["error", ["error", "high"]],
    ["anomaly", ["anomaly", "urgent", "", undefined]],
    ["warn", ["warning", "warn"]],
    ["info", ["info", "information"]],
    ["debug", ["none", "debug"]],
  ])("is %s by the labels %j", (severity, labels) => {
    expect(labels.map(parseSeverityLabel)).toEqual(labels.map(() => severity));
  });
});

describe("the explanation of an alert", () => {
  const words = {
    readings: mapKeys([...ALERT_RULES, ...PROMETHEUS_RULES, "unknown"], (name) => ({
      causes: `causes of ${name}`,
      actions: [`act on ${name}`],
    })),
    severityIs: (severity: string) => `severity ${severity}`,
  };

  it("is that of its rule, with what the alert itself says", () => {
    const metadata = { job_id: "x", none: null, empty: "", list: [1], attempts: 0, long: "y".repeat(300) };
    const alert = { name: "job_failed", severity: "error", summary: "s".repeat(300), metadata } as const;

    expect(explainAlert(alert, words)).toEqual({
      root_cause: "causes of job_failed",
      actions: ["act on job_failed"],
      signals: ["severity error", "s".repeat(200), "job_id: x", "attempts: 0", `long: ${"y".repeat(200)}`],
    });
    expect(explainAlert({ name: "disk_full" }, words)).toEqual({
      root_cause: "causes of unknown",
      actions: ["act on unknown"],
      signals: [],
    });
  });

  it("has twelve signals at most", () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i]));
    const { signals } = explainAlert({ name: "job_failed", metadata }, words);
    expect(signals).toEqual(Array.from({ length: 12 }, (_, i) => `k${i}: ${i}`));
  });

  it("is asked of a model with what our rules know, and with nothing where they know nothing", () => {
    const question = "What does this alert of a web application mean, and what should its operator do now?";
    expect(alertQuestion({ name: "job_failed", summary: "It failed" }, words)).toEqual({
      text: "Alert: job_failed\nIt failed\nWhat is known of this kind of alert:\ncauses of job_failed\nact on job_failed",
      language: null,
      question,
    });
    expect(alertQuestion({ name: "disk_full", summary: "Full" }, words)).toEqual({
      text: "Alert: disk_full\nFull",
      language: null,
      question,
    });
  });
});

describe("what can be done about an alert", () => {
  const alert = (name: string, more: Partial<Alert> = {}): Alert => ({
    alert_uid: "a",
    timestamp: new Date("2026-11-14T12:00:00.000Z"),
    name,
    severity: "error",
    summary: "",
    source: "internal",
    status: "firing",
    repeats: 0,
    last_seen_at: new Date(0),
    ended_at: null,
    metadata: { job_id: "trash_check" },
    ...more,
  });
  const replay = {
    action_id: "open_replay",
    kind: "link",
    href: "/admin/observability?start_time=2026-11-14T11%3A58%3A00.000Z&end_time=2026-11-14T12%3A30%3A00.000Z#replay",
  };
  const retry = { action_id: "retry_job", kind: "action", href: "/admin/observability" };
  const jobs = { action_id: "open_jobs", kind: "link", href: "/admin/jobs" };
  const rebuild = { action_id: "rebuild_indexes", kind: "action", href: "/admin/observability" };
  const indexes = { action_id: "open_indexes", kind: "link", href: "/admin/verify-indexes" };

  it.each([
    ["high_error_rate", [replay]],
    ["slow_endpoint", [replay]],
    ["job_failed", [retry, jobs, replay]],
    ["job_stuck", [jobs, replay]],
    ["ttl_index_missing", [rebuild, indexes, replay]],
    ["push_exhausted", [jobs, replay]],
    ["backup_late", [retry, jobs, replay]],
    ["events_dropped", [replay]],
    ["disk_full", [replay]],
  ])("by %s is what its rule says", (name, fixes) => {
    expect(listQuickFixes(alert(name))).toEqual(fixes);
  });

  const aboutJobs =
    "CodeshelfNoWorker CodeshelfQueueWaits CodeshelfJobsFail CodeshelfPushFails CodeshelfSandboxFails";
  it.each([
    ...aboutJobs.split(" ").map((name) => [name, jobs] as const),
    ["CodeshelfSlow", indexes] as const,
  ])("by %s of Prometheus begins where that is dealt with", (name, fix) => {
    expect(listQuickFixes(alert(name, { source: "alertmanager" }))).toEqual([fix, replay]);
  });

  it("opens the run that an alert names, and all jobs where it names none", () => {
    const opened = (run_id: string | number) =>
      listQuickFixes(alert("job_stuck", { metadata: { run_id } })).map(({ href }) => href)[0];
    expect(opened("r1")).toBe("/admin/jobs/runs/r1");
    expect(opened("")).toBe("/admin/jobs");
    expect(opened(7)).toBe("/admin/jobs");
  });

  it("shows the events of the run that an alert names", () => {
    const [, , shown] = listQuickFixes(alert("job_failed", { metadata: { job_id: "backup", run_id: "r1" } }));
    expect(shown?.href).toContain("start_time=2026-11-14T11%3A30%3A00.000Z");
    expect(shown?.href).toContain("&request=r1#replay");
  });

  it("is a replay for an alert of somebody else, and no retry of a job that is none of ours", () => {
    expect(listQuickFixes(alert("job_failed", { source: "alertmanager" }))).toEqual([replay]);
    expect(listQuickFixes(alert("job_failed", { metadata: { job_id: "theirs" } }))).toEqual([jobs, replay]);
    expect([...QUICK_FIX_ACTIONS]).toEqual(["retry_job", "rebuild_indexes"]);
  });

  it("is also the runbook that it names, where that is an address of the web", () => {
    const naming = (runbook_url: string | number) =>
      listQuickFixes(alert("x", { metadata: { runbook_url } }));
    const runbook = { action_id: "open_runbook", kind: "link", href: "https://a.example/run" };
    expect(naming("https://a.example/run")).toEqual([replay, runbook]);
    for (const href of ["javascript:alert(1)", "ftp://a.example", " https://a.example", 7])
      expect(naming(href)).toEqual([replay]);
  });
});

describe("the use of a quick fix", () => {
  it("names the fix and the alert, without blanks around them", () => {
    expect(checkBySchema(quickFixUse, { action_id: " mute ", alert_uid: "a" })).toEqual({
      action_id: "mute",
      alert_uid: "a",
    });
  });

  it.each([
    {},
    { action_id: "mute" },
    { action_id: " ", alert_uid: "a" },
    { action_id: null, alert_uid: "a" },
  ])("is refused as %j", (input) => {
    expect(checkBySchema(quickFixUse, input)).toMatchObject({
      refused: "missing_fields",
      context: { fields: ["action_id", "alert_uid"] },
    });
  });

  it("takes 120 characters for each, and no more", () => {
    expect(quickFixUse.safeParse({ action_id: "a".repeat(120), alert_uid: "a" }).success).toBe(true);
    expect(quickFixUse.safeParse({ action_id: "a".repeat(121), alert_uid: "a" }).success).toBe(false);
  });
});

it.each<[unknown, boolean]>([
  [undefined, true],
  [{}, true],
  ...[null, 1, MUTE_MINUTES_MAX].map((minutes): [unknown, boolean] => [{ minutes }, true]),
  ...[0, 1.5, MUTE_MINUTES_MAX + 1, "5"].map((minutes): [unknown, boolean] => [{ minutes }, false]),
])("the duration of muting an alert may be %j: %j", (input, isTaken) => {
  expect(muteRequest.safeParse(input).success).toBe(isTaken);
});

describe("an alert to be explained", () => {
  it.each([{ alert_uid: "a" }, { alert: { name: "n" } }, { alert: { summary: "s" } }])(
    "may be %j",
    (input) => {
      expect(alertToExplain.safeParse(input).success).toBe(true);
    },
  );

  it.each([{}, { alert_uid: "" }, { alert: {} }, { alert: { severity: "high" } }])(
    "may not be %j",
    (input) => {
      const fields = ["alert", "alert_uid"];
      expect(checkBySchema(alertToExplain, input)).toMatchObject({
        refused: "missing_fields",
        context: { fields },
      });
    },
  );
});
