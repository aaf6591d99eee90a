import { describe, expect, it } from "vitest";
import {
  claimRun,
  completeRun,
  createRun,
  failRun,
  findRun,
  listRuns,
  recordRunProgress,
  skipRun,
} from "#db/jobs/job-runs.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, events } = await openTestStore();
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

describe("a run", () => {
  it("goes from pending to running to completed, and says so", async () => {
    const run = await createRun(db, "stuck_monitor", "manual", NOON);
    const claimed = await claimRun(db, run, "w1", later(1));
    expect(claimed).toMatchObject({
      status: "running",
      worker_id: "w1",
      started_at: later(1),
      heartbeat_at: later(1),
    });
    expect(await completeRun(db, required(claimed), { reported: 0 }, later(3))).toBe(true);
    expect(await findRun(db, run.run_id)).toMatchObject({
      status: "completed",
      ended_at: later(3),
      result: { reported: 0 },
      progress: 100,
    });
    const told = { job_id: "stuck_monitor", run_id: run.run_id };
    expect(await events("job_started")).toMatchObject([{ ...told, trigger: "manual" }]);
    expect(await events("job_completed")).toMatchObject([{ ...told, ms: 2000 }]);
  });

  it("never leaves a final state", async () => {
    const run = await createRun(db, "stuck_monitor", "manual", NOON);
    const claimed = await claimRun(db, run, "w1", NOON);
    expect(await failRun(db, required(claimed), "broken", later(1))).toBe(true);
    expect(await completeRun(db, required(claimed), {}, later(2))).toBe(false);
    expect(await skipRun(db, run, "disabled", later(2))).toBe(false);
    expect(await claimRun(db, run, "w2", later(2))).toBeNull();
    expect(await findRun(db, run.run_id)).toMatchObject({
      status: "failed",
      error_message: "broken",
      failure_reason: "exception",
    });
  });

  it("of an exclusive job is claimed by one worker out of many", async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => createRun(db, "stuck_monitor", "manual", NOON)));
    const claims = await Promise.all(runs.map((run, i) => claimRun(db, run, `w${i}`, NOON)));
    const held = claims.filter((claim) => claim !== null);
    expect(held).toHaveLength(1);
    await completeRun(db, itemAt(held, 0), {}, NOON);
    const next = required(runs.find(({ run_id }) => run_id !== itemAt(held, 0).run_id));
    expect(await claimRun(db, next, "w9", NOON)).not.toBeNull();
    await completeRun(db, next, {}, NOON);
  });

  it("of an exclusive job is not held up for ever by a worker that died", async () => {
    const dead = await createRun(db, "stuck_monitor", "manual", NOON);
    await claimRun(db, dead, "dead", NOON);
    const next = await createRun(db, "stuck_monitor", "manual", later(300));
    expect(await claimRun(db, next, "alive", later(300))).toBeNull();
    expect(await claimRun(db, next, "alive", later(301))).toMatchObject({ status: "running" });
    expect(await findRun(db, dead.run_id)).toMatchObject({ status: "failed", failure_reason: "orphaned" });
    await completeRun(db, next, {}, later(302));
  });

  it("keeps the last fifty lines it reported and how far it is", async () => {
    const run = await createRun(db, "orphan_reconcile", "manual", NOON);
    await claimRun(db, run, "w1", NOON);
    for (let i = 1; i <= 52; i += 1) {
      await recordRunProgress(
        db,
        run.run_id,
        { processed_items: i, total_items: 104, line: `line ${i}` },
        later(i),
      );
    }
    const seen = await findRun(db, run.run_id);
    expect(seen).toMatchObject({
      progress: 50,
      processed_items: 52,
      total_items: 104,
      heartbeat_at: later(52),
    });
    expect(required(seen).logs.map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, i) => `line ${i + 3}`),
    );
  });

  it("is kept for thirty days by the store itself", async () => {
    const indexes = await db.job_runs.indexes();
    expect(indexes.find(({ name }) => name === "expiry")).toMatchObject({
      key: { created_at: 1 },
      expireAfterSeconds: 30 * 86_400,
    });
  });

  it("is listed newest first, by job and by status", async () => {
    const old = await createRun(db, "orphan_reconcile", "startup", later(1000));
    const young = await createRun(db, "orphan_reconcile", "startup", later(2000));
    const listed = await listRuns(db, { job_id: "orphan_reconcile", status: "pending", limit: 10 });
    expect(listed.map(({ run_id }) => run_id)).toEqual([young.run_id, old.run_id]);
  });
});
