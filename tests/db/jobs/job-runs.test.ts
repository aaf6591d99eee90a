import { describe, expect, it } from "vitest";
import { listAttempts, retryRun } from "#db/jobs/job-retry.server.ts";
import { countRuns, listRunPage } from "#db/jobs/job-run-lists.server.ts";
import {
  claimRun,
  completeRun,
  createRun,
  failRun,
  findRun,
  type JobRun,
  recordRunProgress,
  skipRun,
} from "#db/jobs/job-runs.server.ts";
import { findJobSetting, setJobPaused } from "#db/jobs/job-settings.server.ts";
import { resumeJob, sendLostRuns } from "#db/jobs/job-waiting.server.ts";
import type { JobEnvelope, Queue } from "#db/jobs/queue.server.ts";
import type { ListCursor } from "#domain/cursor.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";

const { db, events } = await openTestStore();
const later = (seconds: number) => afterNoon(seconds * 1000);

describe("a run", () => {
  it("goes from pending to running to completed, and says so", async () => {
    const run = await createRun(db, "stuck_monitor", "manual", NOON);
    const claimed = await claimRun(db, run, "w1", later(1));
    const moments = { started_at: later(1), heartbeat_at: later(1) };
    expect(claimed).toMatchObject({ status: "running", worker_id: "w1", ...moments });
    expect(await completeRun(db, required(claimed), { reported: 0 }, later(3))).toBe(true);
    const ended = { status: "completed", ended_at: later(3), result: { reported: 0 }, progress: 100 };
    expect(await findRun(db, run.run_id)).toMatchObject(ended);
    const payload = { job_id: "stuck_monitor", run_id: run.run_id };
    expect(await events("job_started")).toMatchObject([{ ...payload, trigger: "manual" }]);
    expect(await events("job_completed")).toMatchObject([{ ...payload, ms: 2000 }]);
  });

  it("never leaves a final state", async () => {
    const run = await createRun(db, "stuck_monitor", "manual", NOON);
    const claimed = await claimRun(db, run, "w1", NOON);
    expect(await failRun(db, required(claimed), "broken", later(1))).toBe(true);
    expect(await completeRun(db, required(claimed), {}, later(2))).toBe(false);
    expect(await skipRun(db, run, "disabled", later(2))).toBe(false);
    expect(await claimRun(db, run, "w2", later(2))).toBeNull();
    const failed = { status: "failed", error_message: "broken", failure_reason: "exception" };
    expect(await findRun(db, run.run_id)).toMatchObject(failed);
  });

  it("of an exclusive job is claimed by one worker out of many", async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => createRun(db, "stuck_monitor", "manual", NOON)));
    const claims = await Promise.all(runs.map((run, i) => claimRun(db, run, `w${i}`, NOON)));
    const claimed = claims.filter((claim) => claim !== null);
    expect(claimed).toHaveLength(1);
    await completeRun(db, itemAt(claimed, 0), {}, NOON);
    const next = required(runs.find(({ run_id }) => run_id !== itemAt(claimed, 0).run_id));
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
      const lines = [{ at: later(i), line: `line ${i}` }];
      await recordRunProgress(db, run.run_id, { processed_items: i, total_items: 104 }, later(i), lines);
    }
    const stored = await findRun(db, run.run_id);
    const numbers = { progress: 50, processed_items: 52, total_items: 104 };
    expect(stored).toMatchObject({ ...numbers, heartbeat_at: later(52) });
    expect(required(stored).logs.map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, i) => `line ${i + 3}`),
    );
  });

  it("is kept for thirty days by the store itself", async () => {
    const expiry = (await db.job_runs.indexes()).find(({ name }) => name === "expiry");
    expect(expiry).toMatchObject({ key: { created_at: 1 }, expireAfterSeconds: 30 * 86_400 });
  });

  it("that failed is found among thousands of others, a page at a time, each run once", async () => {
    for (const minute of [1, 2, 3]) {
      const run = await createRun(db, "metrics_rollup", "scheduled", later(minute * 60));
      await failRun(db, required(await claimRun(db, run, "w1", NOON)), new Error(`broken ${minute}`), NOON);
    }
    const errors: (string | null)[] = [];
    let after: ListCursor | null = null;
    do {
      const page = await listRunPage(db, { job_id: "metrics_rollup", status: "failed", after, limit: 1 });
      errors.push(...page.runs.map(({ error_message }) => error_message));
      after = page.next;
    } while (after);
    expect(errors).toEqual(["broken 3", "broken 2", "broken 1"]);
    expect(await countRuns(db, { job_id: "metrics_rollup", status: "failed", limit: 10 })).toBe(3);
    expect(await countRuns(db, { job_id: "metrics_rollup", status: "failed", limit: 2 })).toBe(2);
  });

  it("that failed keeps where it was thrown, without secrets", async () => {
    const run = await createRun(db, "trash_check", "manual", NOON);
    const thrown = new Error("GET https://me:hunter22@example.org failed");
    await failRun(db, required(await claimRun(db, run, "w1", NOON)), thrown, NOON);
    const { error_stack } = required(await findRun(db, run.run_id));
    expect(error_stack).toContain("job-runs.test.ts");
    expect(error_stack).not.toContain("hunter22");
  });
});

async function givenFailed(jobId: JobId, payload: Record<string, unknown>) {
  const run = await createRun(db, jobId, "scheduled", NOON, { payload });
  await failRun(db, required(await claimRun(db, run, "w1", NOON)), "broken", later(1));
  return run.run_id;
}

describe("retrying", () => {
  const sent: unknown[] = [];
  const queue = { send: async (...words: unknown[]) => void sent.push(words) } as unknown as Queue;

  it("runs a failed run again with its own payload, once however many ask", async () => {
    const failed = await givenFailed("repo_sync", { repo_id: "r1" });
    const answers = await Promise.all([1, 2, 3].map(() => retryRun(db, queue, failed, later(2))));

    const runs = answers.filter((answer): answer is JobRun => !isRefusal(answer));
    expect(runs).toMatchObject([
      { status: "pending", trigger: "manual", payload: { repo_id: "r1" }, attempt: 2, retry_of: failed },
    ]);
    const { run_id } = itemAt(runs, 0);
    expect(answers.filter(isRefusal)).toEqual([1, 2].map(() => Refusal("run_already_retried", { run_id })));
    expect(sent).toContainEqual(["repo_sync", { trigger: "manual", run_id, payload: { repo_id: "r1" } }]);
    expect(await findRun(db, failed)).toMatchObject({ status: "failed", retried_by: run_id });
    expect((await listAttempts(db, required(await findRun(db, failed)))).map((run) => run.run_id)).toEqual([
      failed,
      run_id,
    ]);
  });

  it("is possible again where the queue did not take the run", async () => {
    const failed = await givenFailed("repo_sync", { repo_id: "r2" });
    const down = { send: () => Promise.reject(new Error("down")) } as unknown as Queue;
    await expect(retryRun(db, down, failed, later(2))).rejects.toThrow("down");
    expect(await retryRun(db, queue, failed, later(3))).toMatchObject({ status: "pending" });
  });

  it("leaves out runs that did not fail, whose person waits no more, or whose payload is not known", async () => {
    const waiting = await createRun(db, "repo_sync", "manual", NOON);
    const program = await givenFailed("code_run", { code_run_id: "c1" });
    const old = await givenFailed("repo_sync", {});
    await db.job_runs.updateOne({ _id: old }, { $unset: { payload: "" } });
    for (const run_id of [waiting.run_id, program, old])
      expect(await retryRun(db, queue, run_id, NOON)).toEqual(Refusal("run_not_retriable", { run_id }));
    expect(await retryRun(db, queue, "none", NOON)).toEqual(Refusal("run_not_found", { run_id: "none" }));
  });
});

it("a resumed job receives its waiting runs, and after a while those that never reached the queue", async () => {
  const sent: string[] = [];
  const send = async (_: JobId, { run_id }: JobEnvelope) => void sent.push(run_id ?? "");
  await setJobPaused(db, "repo_analysis", true);
  const { run_id } = await createRun(db, "repo_analysis", "manual", later(5000), {
    payload: { repo_id: "r" },
  });
  expect(await findJobSetting(db, "repo_analysis")).toEqual({ enabled: true, paused: true });

  await resumeJob(db, send, "repo_analysis", later(5001));
  expect(sent).toEqual([run_id]);
  expect(await findJobSetting(db, "repo_analysis")).toEqual({ enabled: true, paused: false });

  await sendLostRuns(db, send, new Set(), later(5001 + 599));
  expect(sent.filter((id) => id === run_id)).toHaveLength(1);
  await sendLostRuns(db, send, new Set(["repo_analysis"]), later(5001 + 601));
  expect(sent.filter((id) => id === run_id)).toHaveLength(1);
  await sendLostRuns(db, send, new Set(), later(5001 + 601));
  expect(sent.filter((id) => id === run_id)).toHaveLength(2);
});
