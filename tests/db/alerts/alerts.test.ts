import { beforeEach, describe, expect, it } from "vitest";
import { endObsoleteAlerts } from "#db/alerts/alert-endings.server.ts";
import {
  acknowledgeAlert,
  countUnattendedAlerts,
  listFiringAlerts,
  muteAlert,
} from "#db/alerts/alert-life.server.ts";
import { listAlerts, raiseAlert } from "#db/alerts/alerts.server.ts";
import { createRequestTimings, listSlowEndpoints } from "#db/events/request-timings.server.ts";
import { setRunDismissed } from "#db/jobs/job-dismissal.server.ts";
import { claimRun, completeRun, createRun, failRun } from "#db/jobs/job-runs.server.ts";
import type { Alarm } from "#domain/alerts/alert.ts";
import { itemAt, required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import type { WorkerServices } from "#worker/job.ts";
import { metricsRollup } from "#worker/jobs/metrics-rollup.ts";

const { db, mongo, emitter, clock, events } = await openTestStore();
const later = (minutes: number) => afterNoon(minutes * MINUTE_MS);
const alarm = (subject: string): Alarm => ({
  rule: "job_failed",
  subject,
  severity: "error",
  summary: `Job ${subject} failed`,
  metadata: { job_id: subject },
});
const window = { start: later(-60), end: later(60) };
const readAlerts = async (name: string) =>
  (await listAlerts(db, { window, search: name, page: 1, perPage: 50 })).alerts;

describe("an alert of our own", () => {
  it("is raised once by many processes at once, and counts the others", async () => {
    const raised = await Promise.all(
      Array.from({ length: 8 }, () => raiseAlert(db, alarm("trash_check"), NOON)),
    );
    expect(raised.filter(Boolean)).toHaveLength(1);
    expect(await readAlerts("trash_check")).toMatchObject([{ repeats: 7, source: "internal" }]);
    expect(await events("alert_raised")).toHaveLength(1);
  });

  it("stays quiet for its cooldown, and other subjects do not", async () => {
    expect(await raiseAlert(db, alarm("trash_check"), later(14))).toBe(false);
    expect(await raiseAlert(db, alarm("push_events"), later(14))).toBe(true);
    expect(await raiseAlert(db, alarm("trash_check"), later(15))).toBe(true);
    expect(await readAlerts("trash_check")).toHaveLength(2);
  });

  it("that a crash kept from being written is written by the next alarm", async () => {
    await db.alerts.deleteMany({ "metadata.subject": "push_events" });
    expect(await raiseAlert(db, alarm("push_events"), later(16))).toBe(true);
    expect(await readAlerts("push_events")).toHaveLength(1);
  });

  it("follows the event it is about", async () => {
    db.emit("job_stuck", { job_id: "code_run", run_id: "r1", reason: "silent", ms: 1 });
    db.emit("db_recycle_bin_ttl_index_missing", {
      state: "missing",
      resource: { type: "index", id: "bin_expiry" },
    });
    db.emit("push_event_delivery_exhausted", { attempts: 5, resource: { type: "push_event", id: "e1" } });
    await emitter.flush();
    const stuck = { severity: "anomaly", metadata: { job_id: "code_run" } };
    expect(await readAlerts("job_stuck")).toMatchObject([stuck]);
    expect(await readAlerts("ttl_index_missing")).toMatchObject([{ metadata: { state: "missing" } }]);
    expect(await readAlerts("push_exhausted")).toHaveLength(1);
  });
});

describe("requests of the last minutes", () => {
  const services = { db, clock, backups: null } as unknown as WorkerServices;
  const look = () => doJob(metricsRollup, services);

  it("raise nothing while all is well", async () => {
    const timings = createRequestTimings({ collections: mongo.collections, log: silentLog, clock });
    for (let i = 0; i < 100; i++) timings.record("GET", "/files", 200, 12);
    await timings.close();
    expect(await look()).toMatchObject({ requests: 100, errors: 0, alarms: 0, raised: 0 });
  });

  it("of two processes are summed, and failing and slow ones raise alerts once", async () => {
    for (const route of ["/login", "/files.json"]) {
      const timings = createRequestTimings({ collections: mongo.collections, log: silentLog, clock });
      for (let i = 0; i < 10; i++) timings.record("GET", route, 503, 3_000);
      await timings.close();
    }
    expect(await look()).toMatchObject({ requests: 120, errors: 20, alarms: 3, raised: 3 });
    expect(await look()).toMatchObject({ alarms: 3, raised: 0, ended: 0 });
    expect(await readAlerts("high_error_rate")).toMatchObject([
      { severity: "error", metadata: { count: 120, errors: 20, error_rate: 0.1667 } },
    ]);
    const slow = await listSlowEndpoints(db, window, 5);
    expect(slow.map(({ endpoint }) => endpoint).sort()).toEqual(["/files", "/files.json", "/login"]);
    clock.set(later(30));
    expect(await look()).toMatchObject({ requests: 0, errors: 0, alarms: 0, raised: 0 });
    expect(await readAlerts("high_error_rate")).toMatchObject([{ status: "resolved", ended_at: later(30) }]);
    clock.set(NOON);
  });
});

describe("the list of alerts", () => {
  const day = { start: later(-10 * 1440), end: later(-8 * 1440) };
  const raisedAt = later(-9 * 1440);
  const page = (more: Partial<Parameters<typeof listAlerts>[1]>) =>
    listAlerts(db, { window: day, page: 1, perPage: 10, ...more });
  const subjects = ({ alerts }: Awaited<ReturnType<typeof listAlerts>>) =>
    alerts.map(({ metadata }) => metadata.subject);

  it("has the same pages by number and by where the last one ended", async () => {
    // Three at each moment, so that pages end between equal times.
    for (let i = 0; i < 35; i++)
      await raiseAlert(db, alarm(`listed-${i}`), new Date(raisedAt.getTime() + Math.floor(i / 3)));
    const numbered = await Promise.all([1, 2, 3, 4, 5].map((n) => page({ page: n })));
    const walked = [await page({})];
    for (let next = itemAt(walked, 0).next; next; next = required(walked.at(-1)).next)
      walked.push(await page({ after: next }));
    expect(numbered.slice(0, 4).map(subjects)).toEqual(walked.map(subjects));
    expect(numbered.map(({ alerts }) => alerts.length)).toEqual([10, 10, 10, 5, 0]);
    expect(new Set(numbered.flatMap(subjects)).size).toBe(35);
    expect(numbered.map(({ total }) => total)).toEqual([35, 35, 35, 35, 35]);
    expect(itemAt(numbered, 4).next).toBeNull();
  });

  it("does not repeat an alert on the next page when a new one comes in between", async () => {
    const first = await page({});
    await raiseAlert(db, alarm("just-now"), new Date(raisedAt.getTime() + 60_000));
    const second = await page({ after: first.next });
    expect(subjects(second).filter((subject) => subjects(first).includes(subject))).toEqual([]);
    expect(second.total).toBe(36);
  });

  it("finds words on every page", async () => {
    const hits = await page({ search: "LISTED-1", page: 2, perPage: 8 });
    expect([hits.total, hits.alerts.length]).toEqual([11, 3]);
  });
});

describe("the life of an alert", () => {
  beforeEach(() => db.alerts.deleteMany({}));

  const firing = async (name: string) => (await listFiringAlerts(db)).filter((alert) => alert.name === name);
  const run = async (payload: Record<string, unknown>, now: Date, fails: boolean) => {
    const pending = await createRun(db, "repo_sync", "manual", now, { payload });
    const claimed = required(await claimRun(db, pending, "w", now));
    if (fails) await failRun(db, claimed, new Error("broken"), now);
    else await completeRun(db, claimed, {}, now);
    await emitter.flush();
    return claimed.run_id;
  };

  it("that a job failed ends when its run is dismissed", async () => {
    const failed = await run({ repo_id: "d" }, later(19), true);
    await endObsoleteAlerts(db, later(19));
    expect(await firing("job_failed")).toHaveLength(1);
    await setRunDismissed(db, failed, later(19));
    await endObsoleteAlerts(db, later(19));
    expect(await firing("job_failed")).toEqual([]);
  });

  it("that a job failed ends once the same work is done, not by other work of the job", async () => {
    await run({ repo_id: "a" }, later(20), true);
    expect(await firing("job_failed")).toHaveLength(1);
    await run({ repo_id: "b" }, later(21), false);
    await endObsoleteAlerts(db, later(22));
    expect(await firing("job_failed")).toHaveLength(1);

    await run({ repo_id: "a" }, later(23), false);
    expect(await endObsoleteAlerts(db, later(24))).toBe(1);
    expect(await readAlerts("job_failed")).toMatchObject([{ status: "resolved", ended_at: later(24) }]);
    expect((await events("alert_ended")).at(-1)).toMatchObject({ name: "job_failed" });
    await run({ repo_id: "a" }, later(25), true);
    expect(await firing("job_failed")).toHaveLength(1);
  });

  it("is not begun by a person's wrong address", async () => {
    const failed = { run_id: "r", ms: 1, error: "e" };
    db.emit("job_failed", { ...failed, job_id: "library_import", reason: "exception" });
    db.emit("job_failed", { ...failed, job_id: "repo_sync", reason: "remote_not_found" });
    await emitter.flush();
    expect((await firing("job_failed")).map(({ metadata }) => metadata.job_id)).toEqual(["library_import"]);
  });

  it("of a rate ends when it has not been seen for five minutes", async () => {
    await raiseAlert(db, { ...alarm("all"), rule: "high_error_rate" }, later(30));
    await endObsoleteAlerts(db, later(34));
    expect(await firing("high_error_rate")).toHaveLength(1);
    await endObsoleteAlerts(db, later(35));
    expect(await firing("high_error_rate")).toEqual([]);
  });

  it("counts until somebody acknowledges or mutes it, and a muted one is not raised again meanwhile", async () => {
    await raiseAlert(db, { ...alarm("one"), rule: "push_exhausted" }, later(40));
    await raiseAlert(db, { ...alarm("two"), rule: "push_exhausted" }, later(40));
    const [one, two] = (await firing("push_exhausted")).toSorted((a, b) =>
      String(a.metadata.subject).localeCompare(String(b.metadata.subject)),
    );
    expect(await countUnattendedAlerts(db, later(41))).toBe(2);
    const acked = { acked_at: later(41) };
    for (const minute of [41, 42])
      expect(await acknowledgeAlert(db, required(one).alert_uid, later(minute))).toMatchObject(acked);
    const muted = await muteAlert(db, required(two).alert_uid, later(141));
    expect(muted).toMatchObject({ muted_until: later(141) });
    expect(await countUnattendedAlerts(db, later(42))).toBe(0);
    expect(await countUnattendedAlerts(db, later(141))).toBe(1);
    expect(await raiseAlert(db, { ...alarm("two"), rule: "push_exhausted" }, later(140))).toBe(false);
    expect(await raiseAlert(db, { ...alarm("two"), rule: "push_exhausted" }, later(141))).toBe(true);
    expect(await acknowledgeAlert(db, "none", later(42))).toBeNull();
    expect(await muteAlert(db, "none", later(42))).toBeNull();
  });
});
