import { describe, expect, it } from "vitest";
import {
  errorRateAlarm,
  eventAlarm,
  LOOK_BACK_MINUTES,
  slowEndpointAlarm,
} from "#domain/alerts/alert-rules.ts";
import { addDuration, type Durations, noDurations } from "#domain/events/duration-histogram.ts";

function requests(count: number, ms: number, errors = 0): Durations {
  const all = noDurations();
  for (let i = 0; i < count; i += 1) addDuration(all, ms, i < errors);
  return all;
}

describe("failing requests", () => {
  it.each([
    ["no requests at all", 0, 0],
    ["fewer than twenty requests", 19, 19],
    ["fewer than five failures", 20, 4],
    ["less than one in twenty", 101, 5],
  ])("are no alarm with %s", (_, count, errors) => {
    expect(errorRateAlarm(requests(count, 1, errors))).toBeNull();
  });

  it.each([
    ["error", "one in twenty", 100, 5, 0.05, "5 %"],
    ["error", "less than a quarter", 201, 50, 0.2488, "24.9 %"],
    ["critical", "a quarter, of twenty requests", 20, 5, 0.25, "25 %"],
  ])("are %s from %s", (severity, _, count, errors, error_rate, share) => {
    expect(errorRateAlarm(requests(count, 1, errors))).toEqual({
      rule: "high_error_rate",
      subject: "all",
      severity,
      summary: `${share} of ${count} requests failed in 5 minutes`,
      metadata: { count, errors, error_rate },
    });
    expect(LOOK_BACK_MINUTES).toBe(5);
  });
});

describe("slow requests", () => {
  const measure = (endpoint: string, durations: Durations) =>
    slowEndpointAlarm({ ...durations, endpoint, method: "POST" });

  it("are an alarm from ten of them on", () => {
    expect(measure("/api/files", requests(9, 3_000))).toBeNull();
    const alarm = measure("/api/files", requests(10, 3_000));
    expect(alarm).toMatchObject({ rule: "slow_endpoint", subject: "POST /api/files", severity: "anomaly" });
    expect(alarm?.metadata).toEqual({ endpoint: "/api/files", method: "POST", count: 10, p95_ms: 3_000 });
    expect(alarm?.summary).toBe("POST /api/files: p95 is 3000 ms");
  });

  it("are none while one in twenty is slow, nor where waiting is what an address does", () => {
    const few = requests(19, 10);
    addDuration(few, 3_000, false);
    expect(measure("/api/files", few)).toBeNull();
    expect(measure("/api/files", requests(20, 1_900))).toBeNull();
    for (const endpoint of ["/api/push/test", "/api/code/run", "/tools/code"])
      expect(measure(endpoint, requests(10, 3_000))).toBeNull();
  });
});

const TRASH_INDEX_SUMMARY = "The index that empties the trash is missing or different";
const DROPPED_SUMMARY = "Events were lost because the database was unavailable";

describe("an event", () => {
  it.each([
    [
      "job_failed",
      { job_id: "j", run_id: "r", error: "e", reason: "x" },
      "job_failed j error",
      "Job j failed",
    ],
    ["job_stuck", { job_id: "j", run_id: "r", reason: "x", ms: 5 }, "job_stuck j anomaly", "Job j is stuck"],
    ["events_dropped", { count: 3 }, "events_dropped events error", DROPPED_SUMMARY],
  ])("%s raises its alarm with its own fields", (event, metadata, alarm, summary) => {
    const [rule, subject, severity] = alarm.split(" ");
    const raised = eventAlarm({ request_id: null, event, ...metadata });
    expect(raised).toEqual({ rule, subject, severity, summary, metadata });
  });

  it.each([
    [
      { event: "db_recycle_bin_ttl_index_missing", state: "missing" },
      "ttl_index_missing bin_expiry error",
      TRASH_INDEX_SUMMARY,
      { index: "bin_expiry", state: "missing" },
    ],
    [
      { event: "push_event_delivery_exhausted", attempts: 8 },
      "push_exhausted push_events anomaly",
      "A notification failed on every attempt",
      { job_id: "push_events", attempts: 8 },
    ],
  ])("%j raises an alarm about what it stands for", (event, alarm, summary, metadata) => {
    const [rule, subject, severity] = alarm.split(" ");
    expect(eventAlarm({ request_id: null, ...event })).toEqual({
      rule,
      subject,
      severity,
      summary,
      metadata,
    });
  });

  it("raises its alarm with the fields it has, and empty ones for what it lacks", () => {
    const dropped = { event: "events_dropped", request_id: null, count: "7" };
    expect(eventAlarm(dropped)?.metadata).toEqual({ count: 0 });
    const failed = { event: "job_failed", request_id: null, job_id: "trash_check", run_id: 3, error: "x" };
    expect(eventAlarm(failed)).toMatchObject({
      subject: "trash_check",
      metadata: { job_id: "trash_check", run_id: "", error: "x" },
    });
    expect(eventAlarm({ event: "nothing_of_ours", request_id: null })).toBeNull();
  });
});
