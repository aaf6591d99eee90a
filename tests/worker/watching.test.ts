import { MongoNetworkError } from "mongodb";
import { describe, expect, it } from "vitest";
import { claimRun, createRun, findRun, recordRunHeartbeat } from "#db/jobs/job-runs.server.ts";
import { required } from "#domain/required.ts";
import { createLog } from "#platform/log.ts";
import { beforeVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { NOON, openTestStore, standingClock } from "#tests/support/store.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import type { WorkerServices } from "#worker/job.ts";
import { orphanReconcile } from "#worker/jobs/orphan-reconcile.ts";
import { stuckMonitor } from "#worker/jobs/stuck-monitor.ts";

const { db, events } = await openTestStore();
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);

function at(moment: Date, lock: Partial<WorkerServices["lock"]> = {}): WorkerServices {
  const heldLock = { held: true, acquiredAt: moment, release: async () => {}, ...lock };
  return createTestServices({ db, clock: standingClock(moment) }, { lock: heldLock });
}

/** A run in progress; what made its record does not matter here. */
async function givenRunning(startedAt: Date, heardAt = startedAt): Promise<string> {
  const run = await createRun(db, "stuck_monitor", "scheduled", startedAt);
  await db.job_runs.updateOne(
    { _id: run.run_id },
    { $set: { status: "running", started_at: startedAt, heartbeat_at: heardAt } },
  );
  return run.run_id;
}

it("the watch for stuck runs reports a silent run and a long one, each once, and no running one", async () => {
  const silent = await givenRunning(minutes(0));
  const long = await givenRunning(minutes(-15), minutes(5));
  const fine = await givenRunning(minutes(5));

  expect(await doJob(stuckMonitor, at(minutes(6)))).toEqual({
    running: 3,
    reported: 2,
    closed: 1,
    sent_again: 0,
    taken_over: 0,
  });
  expect(await doJob(stuckMonitor, at(minutes(6)))).toEqual({
    running: 2,
    reported: 0,
    closed: 0,
    sent_again: 0,
    taken_over: 0,
  });

  const reported = await events("job_stuck");
  expect(reported.map(({ run_id, reason, severity }) => [run_id, reason, severity]).toSorted()).toEqual(
    [
      [silent, "heartbeat_stale", "anomaly"],
      [long, "too_long", "anomaly"],
    ].toSorted(),
  );
  expect(reported.map(({ run_id }) => run_id)).not.toContain(fine);
  expect(await findRun(db, silent)).toMatchObject({ status: "failed", failure_reason: "orphaned" });
  expect(await findRun(db, long)).toMatchObject({ status: "running" });
  await db.job_runs.deleteMany({});
});

describe("closing the runs of dead workers", () => {
  it("closes those that began before the lock and fell silent, and sums up once", async () => {
    const dead = await givenRunning(minutes(0));
    const heard = await givenRunning(minutes(0), minutes(9));
    const younger = await givenRunning(minutes(11));

    const result = await doJob(orphanReconcile, at(minutes(17), { acquiredAt: minutes(10) }));

    expect(result).toEqual({ count: 2, skipped: 0, truncated: false, job_ids_sample: ["stuck_monitor"] });
    expect(await findRun(db, dead)).toMatchObject({
      status: "failed",
      failure_reason: "orphaned",
      error_message: "The worker stopped while this ran",
      ended_at: minutes(17),
    });
    expect(await findRun(db, heard)).toMatchObject({ status: "failed" });
    expect(await findRun(db, younger)).toMatchObject({ status: "running" });
    expect(await events("job_runs_reconciled")).toMatchObject([
      { severity: "warn", count: 2, skipped: 0, truncated: false },
    ]);
    await db.job_runs.deleteMany({});
  });

  it("writes a line with count zero and sends no event if nothing was left behind", async () => {
    const before = await events("job_runs_reconciled");
    const lines: string[] = [];
    const log = createLog({ process: "worker", level: "info", write: (line) => lines.push(line) });
    expect(await doJob(orphanReconcile, { ...at(minutes(20)), log })).toMatchObject({
      count: 0,
      truncated: false,
    });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: "job_runs_reconciled", count: 0 }]);
    expect(await events("job_runs_reconciled")).toEqual(before);
  });

  it("leaves alone a run whose worker spoke up in between", async () => {
    const revived = await givenRunning(minutes(0));
    const speaks = () => recordRunHeartbeat(db, revived, minutes(19));
    const speaking = beforeVerb(db, "job_runs", "updateOne", speaks);

    const result = await doJob(orphanReconcile, { ...at(minutes(20)), db: speaking });

    expect(result).toMatchObject({ count: 0, skipped: 1 });
    expect(await findRun(db, revived)).toMatchObject({ status: "running" });
    expect(await events("job_run_reconcile_skipped")).toMatchObject([{ run_id: revived }]);
    await db.job_runs.deleteMany({});
  });

  it("is left to the worker that holds the lock", async () => {
    const dead = await givenRunning(minutes(0));
    expect(await doJob(orphanReconcile, at(minutes(20), { held: false }))).toEqual({ skipped: "no_lock" });
    expect(await findRun(db, dead)).toMatchObject({ status: "running" });
    expect(await events("jobs_orphan_reconcile_skipped")).toMatchObject([{ reason: "no_lock" }]);
    await db.job_runs.deleteMany({});
  });

  it("frees an exclusive job at once for the next run", async () => {
    const dead = await claimRun(
      db,
      await createRun(db, "stuck_monitor", "manual", minutes(0)),
      "dead",
      minutes(0),
    );
    await doJob(orphanReconcile, at(minutes(20)));
    expect(await findRun(db, required(dead).run_id)).toMatchObject({ failure_reason: "orphaned" });
    expect(
      await claimRun(db, await createRun(db, "stuck_monitor", "manual", minutes(20)), "w", minutes(20)),
    ).not.toBeNull();
  });
});

describe("closing a great many runs", () => {
  async function givenSilent(count: number): Promise<void> {
    const model = await createRun(db, "stuck_monitor", "scheduled", minutes(0));
    const doc = required(await db.job_runs.findOne({ _id: model.run_id }));
    await db.job_runs.deleteMany({});
    const silent = { status: "running", started_at: minutes(0), heartbeat_at: minutes(0) } as const;
    await db.job_runs.insertMany(
      Array.from({ length: count }, (_, n) => ({ ...doc, ...silent, _id: n.toString(16).padStart(24, "0") })),
    );
  }
  const counted = (
    services: WorkerServices,
    updates: { done: number },
    before: () => unknown,
  ): WorkerServices => ({
    ...services,
    db: replaceVerb(db, "job_runs", "updateOne", async (real, ...words) => {
      updates.done += 1;
      return before() || real(...words);
    }),
  });

  itDrawn("very many runs", 3)("stops at the limit, says so, and names each job once", async () => {
    await givenSilent(2001);

    const updates = { done: 0 };
    const result = await doJob(
      orphanReconcile,
      counted(at(minutes(20)), updates, () => ({ modifiedCount: 1 })),
    );

    expect(result).toMatchObject({ count: 2000, truncated: true, job_ids_sample: ["stuck_monitor"] });
    expect(updates.done).toBe(2000);
    expect((await events("job_runs_reconciled")).at(-1)).toMatchObject({ count: 2000, truncated: true });
    await db.job_runs.deleteMany({});
  });

  it("is cut off when its time is up; what is left waits for the next start", async () => {
    await givenSilent(5);
    const clock = standingClock(minutes(20));
    const services = { ...at(minutes(20)), clock };
    const updates = { done: 0 };

    const result = await doJob(
      orphanReconcile,
      counted(services, updates, () => updates.done === 2 && clock.set(minutes(23))),
    );

    expect(result).toMatchObject({ count: 2 });
    expect(await db.job_runs.countDocuments({ status: "running" })).toBe(3);
    expect(await events("jobs_orphan_reconcile_timed_out")).toMatchObject([
      { count: 2, timeout_seconds: 120 },
    ]);
    await db.job_runs.deleteMany({});
  });

  it("that fails is reported as failed, and one without its store as skipped", async () => {
    await givenSilent(1);
    const failing = counted(at(minutes(20)), { done: 0 }, () => {
      throw new Error("a fault of ours");
    });
    await expect(doJob(orphanReconcile, failing)).rejects.toThrow("a fault of ours");
    expect(await events("jobs_orphan_reconcile_failed")).toMatchObject([{ error: "a fault of ours" }]);

    const away = counted(at(minutes(20)), { done: 0 }, () => {
      throw new MongoNetworkError("gone");
    });
    expect(await doJob(orphanReconcile, away)).toEqual({ skipped: "no_db" });
    expect((await events("jobs_orphan_reconcile_skipped")).at(-1)).toMatchObject({ reason: "no_db" });
    await db.job_runs.deleteMany({});
  });
});
