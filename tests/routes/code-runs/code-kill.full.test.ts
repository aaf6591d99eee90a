import { readdirSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { required } from "#domain/required.ts";
import { queryPostgres } from "#tests/support/databases/query-postgres.ts";
import { ended, identityOf } from "#tests/support/programs/running.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";
import { openTestSandbox } from "#tests/support/workers/sandbox.ts";
import { linkSnapshotCache } from "#tests/support/workers/snapshot-cache.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const web = await openTestWeb({ CODE_QUEUE_WAIT_SECONDS: "60" });
await openTestSandbox().prepare();
const dataDir = directoryOfFile("killed");
linkSnapshotCache(dataDir);

const startRunning = () =>
  startWorker(web, {
    DATA_DIR: dataDir,
    CODE_SANDBOX_WITHOUT: "limits,user,network",
    CODE_POOL_SIZE: "1",
  });

const admin = await web.person(ADMIN_ID);
const post = (code: string) => admin.send("POST", "/api/code/run", { code, timeout: 2 });

const states = async () =>
  (await queryPostgres(web.databaseUrl, "select state from codeshelf.code_runs")).map(({ state }) => state);

const childrenOf = (parent: number) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          required(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)).split(" ")[1] ===
          String(parent)
        );
      } catch {
        return false;
      }
    })
    .map((pid) => identityOf(Number(pid)));

it("a worker killed in the middle of a run: it is told as failed, once, not repeated, and nothing of it goes on", async () => {
  const worker = startRunning();
  const asked = post("print('begun')\nwhile True: pass");
  await vi.waitFor(async () => expect(await states()).toEqual(["running"]), {
    timeout: 60_000,
    interval: 20,
  });
  const children = childrenOf(worker.pid);
  expect(children.length).toBeGreaterThan(0);

  worker.child.kill("SIGKILL");

  expect(await asked).toMatchObject({ status: 503, body: { success: false, error: "run_interrupted" } });
  for (const child of children) await ended(child);
  const next = startRunning();
  expect(await post("print('the next one')")).toMatchObject({
    status: 200,
    body: { stdout: "the next one\n" },
  });
  await vi.waitFor(async () => {
    const runs = await listRuns(web.db, { job_id: "code_run", limit: 9 });
    const told = runs.map(({ status, worker_id }) => `${status} ${worker_id?.includes(`-${next.pid}-`)}`);
    expect(told.toSorted()).toEqual(["completed true", "failed false"]);
    expect(runs.find(({ status }) => status === "failed")).toMatchObject({
      failure_reason: "no_result",
      error_message: "The worker reported no result in time",
    });
  });
  expect(await states()).toEqual([]);
  next.child.kill("SIGTERM");
  await next.exit;
}, 150_000);
