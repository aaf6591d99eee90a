import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { findLatestHeartbeat, listWorkerMetrics, listWorkers } from "#db/jobs/workers.server.ts";
import { itemAt } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { run } from "#tests/support/programs/running.ts";
import { openTestStore } from "#tests/support/store.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const { db, events, uri: MONGODB_URI } = await openTestStore();
const databaseUrl = await createReleasedPostgres();
const program = join(import.meta.dirname, "..", "..", "worker", "index.ts");

/** A machine without git, which no other job needs. */
const startWithoutGit = () => startWorker({ uri: MONGODB_URI, databaseUrl }, { PATH: "/nonexistent" });

describe("the worker process", () => {
  it("reports that it is alive, runs its startup job and requested runs within moments, and stops in order", async () => {
    const worker = startWithoutGit();
    await worker.line(/internal_worker_started/);
    expect(await findLatestHeartbeat(db)).not.toBeNull();
    await worker.line(/"severity":"warn","event":"git_missing"/);
    expect(await listWorkers(db)).toMatchObject([{ git_fault: "git_missing" }]);
    const { metrics } = itemAt(await listWorkerMetrics(db, new Date()), 0);
    expect(metrics.values.map(({ name }) => name)).toContain("codeshelf_db_connections");
    await vi.waitFor(async () => {
      expect(await listRuns(db, { job_id: "orphan_reconcile", limit: 1 })).toMatchObject([
        { status: "completed", trigger: "startup" },
      ]);
    }, 30_000);

    const queue = await openQueue({ databaseUrl, log: silentLog });
    const { run_id } = await triggerJob(db, queue, "stuck_monitor", "manual", new Date());
    await vi.waitFor(
      async () => expect(await findRun(db, run_id)).toMatchObject({ status: "completed" }),
      30_000,
    );
    await queue.close();

    worker.child.kill("SIGTERM");
    expect(await worker.exit).toEqual({ code: 0, signal: null });
    expect(await findLatestHeartbeat(db)).toBeNull();
    expect(await events("internal_worker_started")).toMatchObject([
      { severity: "info", request_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
  });

  it("stops with everything that is wrong when its environment is", async () => {
    const worker = run(process.execPath, [program], { env: { PATH: process.env.PATH, LOG_LEVEL: "loud" } });
    expect((await worker.exit).code).toBe(1);
    expect(worker.lines.join("\n")).toMatch(
      /MONGODB_URI is missing[\s\S]*DATABASE_URL is missing[\s\S]*LOG_LEVEL/,
    );
  });
});
