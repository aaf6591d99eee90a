import { join } from "node:path";
import { ObjectId } from "mongodb";
import { expect, it, onTestFinished, vi } from "vitest";
import { createRun, findRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { FINAL_STATUSES } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { startWebProcess } from "#tests/support/product/web-process.ts";
import { run } from "#tests/support/programs/running.ts";
import { openTestStore } from "#tests/support/store.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { Visitor } from "#tests/support/web.ts";

/** Events of faults, stored by whole processes. */
const { db, events, uri } = await openTestStore();
const databaseUrl = await createReleasedPostgres();
const soon = { timeout: 20_000, interval: 50 };
const untilTold = (event: string, fields: object) =>
  vi.waitFor(async () => expect(await events(event)).toMatchObject([fields]), soon);

async function givenSilentRuns(count: number): Promise<void> {
  const silentSince = new Date(Date.now() - HOUR_MS);
  for (let i = 0; i < count; i += 1) {
    const { run_id: _id } = await createRun(db, "repo_sync", "scheduled", silentSince);
    const running = { status: "running", started_at: silentSince, heartbeat_at: silentSince } as const;
    await db.job_runs.updateOne({ _id }, { $set: running });
  }
}

it("the worker emits an event for each failure to close runs of stopped workers, and for a failed analysis", async () => {
  const queue = await openQueue({ databaseUrl, log: silentLog });
  onTestFinished(() => queue.close());
  await givenSilentRuns(2);
  const program = join(PROJECT_ROOT, "tests", "support", "workers", "faulty-worker.ts");
  const env = { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl };
  const worker = run(process.execPath, [program], { env });
  const end = async (jobId: JobId, payload = {}) => {
    const { run_id } = await triggerJob(db, queue, jobId, "manual", new Date(), payload);
    const hasEnded = async () => expect(FINAL_STATUSES).toContain(required(await findRun(db, run_id)).status);
    await vi.waitFor(hasEnded, soon);
    return findRun(db, run_id);
  };

  // The start closes runs by itself, and finds both alive.
  await vi.waitFor(async () => expect(await events("job_run_reconcile_skipped")).toHaveLength(2), soon);
  await db.job_runs.deleteMany({ job_id: "repo_sync" });
  await givenSilentRuns(2);
  await end("orphan_reconcile");
  await untilTold("jobs_orphan_reconcile_timed_out", { severity: "error", count: 1, timeout_seconds: 120 });
  expect(await end("orphan_reconcile")).toMatchObject({ status: "failed", error_message: "a fault of ours" });
  await untilTold("jobs_orphan_reconcile_failed", { severity: "error", error: "a fault of ours" });
  expect(worker.lines.filter((line) => line.includes('"jobs_orphan_reconcile_failed"')).join()).toContain(
    "    at ",
  );
  expect(await end("orphan_reconcile")).toMatchObject({ status: "completed", result: { skipped: "no_db" } });
  await untilTold("jobs_orphan_reconcile_skipped", { severity: "warn", reason: "no_db" });

  const repo_id = new ObjectId().toHexString();
  expect(await end("repo_analysis", { repo_id })).toMatchObject({
    status: "failed",
    error_message: "The repository is not mirrored or has not been copied yet",
  });
  await untilTold("repo_analysis_error", { severity: "error", repo: repo_id, error: "NothingToAnalyse" });
}, 90_000);

it("the web process emits an event if the text of a latest version cannot be read", async () => {
  const directory = await temporaryDirectory("web");
  const web = await startWebProcess({ mongodbUri: uri, databaseUrl, directory }, {});
  onTestFinished(() => web.stop());
  const dana = await new Visitor(web.url, () => new Date()).logIn("50");
  const file_id = await dana.saveFile("a.txt");
  await db.file_bodies.deleteMany({ user_id: "50" });

  // This process caches what it saved; another one reads it.
  const other = await startWebProcess({ mongodbUri: uri, databaseUrl, directory }, {});
  onTestFinished(() => other.stop());
  const reader = await new Visitor(other.url, () => new Date()).logIn("50");
  expect((await reader.send("GET", `/download/${file_id}`)).status).toBe(500);

  const resource = { type: "file", id: file_id };
  await untilTold("db_get_latest_version_error", { severity: "error", error: "Error", resource });
}, 60_000);
