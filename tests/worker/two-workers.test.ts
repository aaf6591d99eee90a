import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import type { JobRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openQueue, releaseQueue } from "#db/jobs/queue.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createTestPostgres } from "#tests/support/postgres.ts";
import { type Running, run } from "#tests/support/running.ts";
import { openTestStore } from "#tests/support/store.ts";

/** Two real worker processes on one pair of databases; `trash_check`, a job of which one runs at a time, waits in them. */
const { db, uri, events } = await openTestStore();
const databaseUrl = await createTestPostgres();
await releaseQueue({ databaseUrl, log: silentLog });
const queue = await openQueue({ databaseUrl, log: silentLog });
afterAll(() => queue.close());

const program = join(PROJECT_ROOT, "tests", "support", "waiting-worker.ts");
const SILENT_MS = 6 * 60_000;

async function startTwo(): Promise<Running[]> {
  const env = { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl };
  const workers = [1, 2].map(() => run(process.execPath, [program], { env }));
  await Promise.all(workers.map((worker) => worker.line(/internal_worker_started/)));
  return workers;
}

const trigger = (jobId: "trash_check" | "stuck_monitor") =>
  triggerJob(db, queue, jobId, "manual", new Date());

async function found(status: JobRun["status"], count = 1, jobId: JobId = "trash_check"): Promise<JobRun[]> {
  let runs: JobRun[] = [];
  await vi.waitFor(
    async () => {
      runs = await listRuns(db, { job_id: jobId, status, limit: 9 });
      expect(runs).toHaveLength(count);
    },
    { timeout: 20_000, interval: 50 },
  );
  return runs;
}

/** A run that its handler has begun, its worker, and the workers that have nothing to do. */
async function atWork(workers: Running[]): Promise<{ run: JobRun; busy: Running; idle: Running[] }> {
  let seen = itemAt(await found("running"), 0);
  await vi.waitFor(async () => {
    seen = itemAt(await found("running"), 0);
    expect(seen.logs).toMatchObject([{ line: "at work" }]);
  }, 20_000);
  const isBusy = ({ pid }: Running) => required(seen.worker_id).includes(`-${pid}-`);
  return {
    run: seen,
    busy: required(workers.find(isBusy)),
    idle: workers.filter((worker) => !isBusy(worker)),
  };
}

const stopped = async (worker: Running) => {
  worker.child.kill("SIGTERM");
  expect(await worker.exit).toEqual({ code: 0, signal: null });
};

it("of two workers one runs a job that must run alone, and hands it over when it stops: nothing has failed", async () => {
  const workers = await startTwo();

  await Promise.all([trigger("trash_check"), trigger("trash_check")]);
  const first = await atWork(workers);
  const [skipped] = await found("skipped");
  expect(skipped).toMatchObject({ failure_reason: "already_running", started_at: null });
  await stopped(first.busy);

  const second = await atWork(first.idle);
  expect((await found("cancelled"))[0]).toMatchObject({
    run_id: first.run.run_id,
    failure_reason: "worker_stopped",
  });
  second.busy.child.kill("SIGUSR2");
  const [completed] = await found("completed");
  expect(completed).toMatchObject({ run_id: second.run.run_id, trigger: "manual" });
  await stopped(second.busy);
  expect(await events("job_failed")).toEqual([]);
}, 60_000);

it("the run of a worker that was killed is closed by the other one's watch once it has been silent for too long", async () => {
  const workers = await startTwo();

  await trigger("trash_check");
  const { run: left, busy, idle } = await atWork(workers);
  const other = itemAt(idle, 0);
  busy.child.kill("SIGKILL");
  await busy.exit;
  await trigger("stuck_monitor");
  await found("completed", 1, "stuck_monitor");
  expect(await found("running")).toMatchObject([{ run_id: left.run_id }]);
  const heartbeat_at = new Date(Date.now() - SILENT_MS);
  await db.job_runs.updateOne({ _id: left.run_id }, { $set: { heartbeat_at } });
  await trigger("stuck_monitor");

  const [closed] = await found("failed");
  expect(closed).toMatchObject({ run_id: left.run_id, failure_reason: "orphaned" });
  await trigger("trash_check");
  await atWork([other]);
  await stopped(other);
  expect(await events("job_stuck")).toMatchObject([{ run_id: left.run_id, reason: "heartbeat_stale" }]);
}, 60_000);
