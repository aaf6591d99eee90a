import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { findRun, type JobRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { HEARTBEAT_STALE_MS } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { itemAt, required } from "#domain/required.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { type Running, run } from "#tests/support/programs/running.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

/** Two real worker processes on one pair of databases; `trash_check`, a job with one run at a time, waits in them. */
const { db, uri, databaseUrl, queue, events, clock, visitor } = await openTestWeb();
// The workers use the machine's clock, and the web process shows what they write.
clock.set(new Date());
const admin = await visitor().logIn(ADMIN_ID);
const askApi = (path: string) => {
  clock.set(new Date());
  return admin.ask(path).then((answer) => answer.json());
};
const readPage = (path: string) => {
  clock.set(new Date());
  return admin.page(path).then((answer) => answer.text());
};

const program = join(PROJECT_ROOT, "tests", "support", "workers", "waiting-worker.ts");

let workers: Running[] = [];

// No test finds workers or runs of another one.
afterEach(async () => {
  for (const worker of workers) {
    worker.child.kill("SIGKILL");
    await worker.exit;
  }
  await Promise.all([db.job_runs.deleteMany({}), db.workers.deleteMany({})]);
  await Promise.all([db.alerts.deleteMany({}), db.events.deleteMany({})]);
});

async function startTwo(): Promise<Running[]> {
  const env = { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl };
  workers = [1, 2].map(() => run(process.execPath, [program], { env }));
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
    { timeout: 60_000, interval: 50 },
  );
  return runs;
}

/** A run in progress with its worker, and the idle workers. */
async function atWork(workers: Running[]): Promise<{ run: JobRun; busy: Running; idle: Running[] }> {
  let run = itemAt(await found("running"), 0);
  await vi.waitFor(async () => {
    run = itemAt(await found("running"), 0);
    expect(run.logs).toMatchObject([{ line: "at work" }]);
  }, 60_000);
  const isBusy = ({ pid }: Running) => required(run.worker_id).includes(`-${pid}-`);
  return {
    run: run,
    busy: required(workers.find(isBusy)),
    idle: workers.filter((worker) => !isBusy(worker)),
  };
}

const stopped = async (worker: Running) => {
  worker.child.kill("SIGTERM");
  expect(await worker.exit).toEqual({ code: 0, signal: null });
};

itDrawn("two workers", 3)(
  "of two workers one runs a job that must run alone, and hands it over when it stops: nothing has failed",
  async () => {
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
  },
  240_000,
);

it("an administrator sees the run of a killed worker as failed, with an alert, within six minutes, and retries it", async () => {
  const workers = await startTwo();
  await trigger("trash_check");
  const { run: left, busy, idle } = await atWork(workers);
  const other = itemAt(idle, 0);
  const look = async (heartbeatAgeMs: number) => {
    const $set = { heartbeat_at: new Date(Date.now() - heartbeatAgeMs) };
    await db.job_runs.updateOne({ _id: left.run_id }, { $set });
    await db.workers.updateOne({ _id: required(left.worker_id) }, { $set });
    const { run_id } = required(await trigger("stuck_monitor"));
    await vi.waitFor(async () => expect((await findRun(db, run_id))?.status).toBe("completed"), 60_000);
    return (await askApi(`/api/jobs/runs/${left.run_id}`)).run;
  };

  const countSilent = async () => (await readPage("/admin")).split("Not responding").length - 1;

  expect(await countSilent()).toBe(0);
  busy.child.kill("SIGKILL");
  await busy.exit;
  expect(await look(HEARTBEAT_STALE_MS - 30 * SECOND_MS)).toMatchObject({ status: "running" });
  expect(await countSilent()).toBe(1);
  expect(await readPage("/admin/jobs?tab=running")).toContain("Not responding");
  const closed = await look(HEARTBEAT_STALE_MS + SECOND_MS);

  expect(closed).toMatchObject({ status: "failed", failure_reason: "orphaned", can_retry: true });
  expect(await readPage("/admin/jobs")).toContain("The worker stopped while this ran");
  await vi.waitFor(async () => {
    expect(await events("job_stuck")).toMatchObject([{ run_id: left.run_id, reason: "heartbeat_stale" }]);
    const { alerts } = await askApi("/api/observability/alerts");
    expect(alerts).toMatchObject([{ name: "job_stuck", metadata: { run_id: left.run_id } }]);
  }, 60_000);
  expect(await readPage("/admin/observability")).toContain("“Check the trash” is stuck");
  expect((await admin.submit("/admin/jobs", { intent: "retry", run_id: left.run_id })).status).toBe(303);
  const { run: again } = await atWork([other]);
  other.child.kill("SIGUSR2");
  expect(again).toMatchObject({ retry_of: left.run_id, attempt: 2 });
  await vi.waitFor(async () => {
    const { run } = await askApi(`/api/jobs/runs/${again.run_id}`);
    expect(run).toMatchObject({ status: "completed" });
  }, 60_000);
  expect(await readPage("/admin/jobs")).not.toContain("The worker stopped while this ran");
  await stopped(other);
}, 240_000);
