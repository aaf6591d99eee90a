import { ObjectId } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { claimRun, completeRun, createRun, findRun, requestCancel } from "#db/jobs/job-runs.server.ts";
import { setJobEnabled, setJobPaused } from "#db/jobs/job-settings.server.ts";
import { JOB_IDS, type JobId } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { openTestStore } from "#tests/support/store.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { HANDLERS } from "#worker/handlers.ts";
import type { JobHandler } from "#worker/job.ts";
import { GitFault } from "#worker/mirror/git.ts";
import { runJob } from "#worker/run-job.ts";

const { db, clock, events } = await openTestStore();
const services = createTestServices({ db, clock });
const { signal } = new AbortController();
const run = (envelope: Partial<Parameters<typeof runJob>[2]>) =>
  runJob(services, "stuck_monitor", { trigger: "scheduled", payload: {}, ...envelope }, signal);
const latest = async () => (await listRuns(db, { job_id: "stuck_monitor", limit: 1 }))[0];
const tick = () => clock.set(new Date(clock().getTime() + 1000));

/** Replaces a handler until the end of the test, or until it is restored. */
function replaceHandler<Id extends JobId>(jobId: Id, handler: JobHandler<Id>): () => void {
  const real = HANDLERS[jobId];
  const putBack = () => void Object.assign(HANDLERS, { [jobId]: real });
  Object.assign(HANDLERS, { [jobId]: handler });
  onTestFinished(putBack);
  return putBack;
}

describe("a job from the queue", () => {
  it("leaves the record of a scheduled run, started, completed and announced", async () => {
    tick();
    await run({});
    const record = await latest();
    expect(record).toMatchObject({
      status: "completed",
      trigger: "scheduled",
      worker_id: "w1",
      result: { running: 1, reported: 0 },
    });
    expect(await events("job_started")).toMatchObject([
      { run_id: required(record).run_id, request_id: required(record).run_id },
    ]);
    expect(await events("job_completed")).toMatchObject([
      { run_id: required(record).run_id, job_id: "stuck_monitor" },
    ]);
  });

  it("performs a requested run once, however often the queue delivers it", async () => {
    tick();
    const { run_id } = await createRun(db, "stuck_monitor", "manual", clock());
    await run({ run_id, trigger: "manual" });
    const before = await events("job_started");
    await run({ run_id, trigger: "manual" });
    expect(await findRun(db, run_id)).toMatchObject({ status: "completed", trigger: "manual" });
    expect(await events("job_started")).toHaveLength(before.length);
  });

  async function expectSkipped(reason: string) {
    tick();
    await run({});
    const record = await latest();
    expect(record).toMatchObject({ status: "skipped", failure_reason: reason, started_at: null });
    const { run_id } = required(record);
    expect((await events("job_skipped")).at(-1)).toMatchObject({ run_id, reason });
  }

  it("is skipped during another run of it, and while it is disabled", async () => {
    tick();
    const busy = await claimRun(db, await createRun(db, "stuck_monitor", "manual", clock()), "w2", clock());
    await expectSkipped("already_running");
    await completeRun(db, required(busy), {}, clock());

    await setJobEnabled(db, "stuck_monitor", false);
    await expectSkipped("disabled");
    await setJobEnabled(db, "stuck_monitor", true);
  });

  it("that is paused stays waiting, and one of the clock leaves nothing behind", async () => {
    tick();
    await setJobPaused(db, "stuck_monitor", true);
    const { run_id } = await createRun(db, "stuck_monitor", "manual", clock());
    const before = await latest();
    await run({ run_id, trigger: "manual" });
    await run({});
    expect(await latest()).toEqual(before);
    await setJobPaused(db, "stuck_monitor", false);
    await run({ run_id, trigger: "manual" });
    expect(await findRun(db, run_id)).toMatchObject({ status: "completed" });
  });

  it("that throws is recorded as failed with its message, and blocks no other run", async () => {
    tick();
    const putBack = replaceHandler("stuck_monitor", async () => {
      throw new Error("it broke");
    });
    await run({});
    const failed = await latest();
    expect(failed).toMatchObject({
      status: "failed",
      error_message: "it broke",
      failure_reason: "exception",
    });
    expect((await events("job_failed")).at(-1)).toMatchObject({
      run_id: required(failed).run_id,
      severity: "error",
      error: "it broke",
    });

    putBack();
    tick();
    await run({});
    expect(await latest()).toMatchObject({ status: "completed" });
  });

  it.each([
    [
      new AggregateError([new Error("connect ECONNREFUSED ::1:5432")]),
      "AggregateError: connect ECONNREFUSED ::1:5432",
    ],
    [
      new TypeError("fetch failed", { cause: new Error("self-signed certificate") }),
      "fetch failed: self-signed certificate",
    ],
    [new GitFault("unreachable"), "The host could not be reached."],
  ])("says why, where the words are those of its cause or a code's: %s", async (error, error_message) => {
    tick();
    const putBack = replaceHandler("stuck_monitor", async () => {
      throw error;
    });
    await run({});
    putBack();
    expect(await latest()).toMatchObject({ status: "failed", error_message });
  });

  it("with a payload its catalogue does not know fails", async () => {
    tick();
    await run({ payload: { surprise: 1 } });
    const error_message = '✖ Unrecognized key: "surprise"';
    expect(await latest()).toMatchObject({ status: "failed", error_message });
  });
});

describe("the log of a run", () => {
  it.each(JOB_IDS)("says what %s examined and did", async (jobId) => {
    tick();
    await runJob(services, jobId, { trigger: "scheduled", payload: {} }, signal);
    const [record] = await listRuns(db, { job_id: jobId, limit: 1 });
    expect(record).toMatchObject({
      status: "completed",
      logs: [{ line: expect.stringMatching(/\w/) }, ...(record?.logs.slice(1) ?? [])],
    });
  });

  it("of absent work says so", async () => {
    const payload = { repo_id: new ObjectId().toHexString() };
    await runJob(services, "repo_sync", { trigger: "manual", payload }, signal);
    const [record] = await listRuns(db, { job_id: "repo_sync", limit: 1 });
    expect(record).toMatchObject({ result: { outcome: "gone" }, logs: [{ line: "Ended: gone" }] });
  });

  it("is stored without secrets even if the run fails", async () => {
    tick();
    replaceHandler("trash_check", async ({ writeLog }) => {
      writeLog("Asked https://me:hunter22@example.org");
      throw new Error("no answer");
    });
    await runJob(services, "trash_check", { trigger: "scheduled", payload: {} }, signal);
    const [record] = await listRuns(db, { job_id: "trash_check", limit: 1 });
    expect(record).toMatchObject({
      status: "failed",
      logs: [{ at: clock(), line: "Asked https://[redacted]@example.org" }],
    });
  });
});

describe("cancelling", () => {
  it("aborts the handler at work and closes its run as cancelled, and not before", async () => {
    tick();
    const { run_id } = await createRun(db, "trash_check", "manual", clock());
    const begun = Promise.withResolvers<void>();
    replaceHandler("trash_check", ({ signal }) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });

    const running = runJob(
      { ...services, runHeartbeatMs: 10 },
      "trash_check",
      { trigger: "manual", run_id, payload: {} },
      signal,
    );
    await begun.promise;
    expect(await requestCancel(db, run_id, clock())).toBe(true);
    await running;

    expect(await findRun(db, run_id)).toMatchObject({ status: "cancelled", failure_reason: "cancelled" });
    expect(await requestCancel(db, run_id, clock())).toBe(false);
    expect(await findRun(db, run_id)).toMatchObject({ status: "cancelled" });
  });

  it("a run that still waits leaves it skipped, and the queue's envelope does nothing", async () => {
    tick();
    const { run_id } = await createRun(db, "stuck_monitor", "manual", clock());

    expect(await requestCancel(db, run_id, clock())).toBe(true);
    await run({ run_id, trigger: "manual" });

    expect(await findRun(db, run_id)).toMatchObject({ status: "skipped", started_at: null });
  });
});

describe("a worker that stops", () => {
  async function stoppedWhile(jobId: "trash_check" | "push_test") {
    tick();
    const stopping = new AbortController();
    replaceHandler(jobId, async ({ signal }) => {
      stopping.abort(new Error("Stopping"));
      return signal.throwIfAborted() as never;
    });
    const requeued: unknown[] = [];
    const requeue = async (...words: unknown[]) => requeued.push(words);
    const { run_id } = await createRun(db, jobId, "manual", clock());
    const failed = await events("job_failed");
    await runJob(
      { ...services, requeue },
      jobId,
      { trigger: "manual", run_id, payload: {} },
      stopping.signal,
    );
    expect(await events("job_failed")).toEqual(failed);
    return { run: await findRun(db, run_id), requeued };
  }

  it("returns an abandoned run to the queue, and calls it cancelled, not failed", async () => {
    const { run, requeued } = await stoppedWhile("trash_check");
    expect(run).toMatchObject({ status: "cancelled", failure_reason: "worker_stopped", ended_at: clock() });
    expect(requeued).toEqual([["trash_check", "manual", {}]]);
  });

  it("does not restart a run that nobody waits for", async () => {
    const { run, requeued } = await stoppedWhile("push_test");
    expect(run).toMatchObject({ status: "cancelled", failure_reason: "worker_stopped" });
    expect(requeued).toEqual([]);
  });

  it("that is handed over while the worker stops goes back to the queue as it came, its record still waiting", async () => {
    const { run_id } = await createRun(db, "trash_check", "manual", clock());
    const sent: unknown[] = [];
    const sendBack = async (...words: unknown[]) => void sent.push(words);
    const envelope = { trigger: "manual" as const, run_id, payload: {} };
    await runJob({ ...services, sendBack }, "trash_check", envelope, AbortSignal.abort());
    expect(sent).toEqual([["trash_check", envelope]]);
    expect(await findRun(db, run_id)).toMatchObject({ status: "pending" });
  });
});
