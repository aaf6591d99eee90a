import { describe, expect, it } from "vitest";
import { EVENTS, type EventName } from "#domain/events.ts";

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
