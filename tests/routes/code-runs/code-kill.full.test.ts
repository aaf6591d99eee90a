import { readdirSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { required } from "#domain/required.ts";
import { queryPostgres } from "#tests/support/databases/query-postgres.ts";
import { ended, readIdentity } from "#tests/support/programs/running.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";
import { openTestSandbox } from "#tests/support/workers/sandbox.ts";
import { linkSnapshotCache } from "#tests/support/workers/snapshot-cache.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const web = await openTestWeb({ CODE_QUEUE_WAIT_SECONDS: "120" });
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
const post = (code: string, timeout = 2) => admin.send("POST", "/api/code/run", { code, timeout });

const query = (text: string) => queryPostgres(web.databaseUrl, text);
const untilOne = (condition: string) =>
  vi.waitFor(
    async () => expect(await query(`select from codeshelf.code_runs where ${condition}`)).toHaveLength(1),
    {
      timeout: 120_000,
      interval: 5,
    },
  );

const states = async () => (await query("select state from codeshelf.code_runs")).map(({ state }) => state);

const listChildren = (parent: number) =>
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
    .map((pid) => readIdentity(Number(pid)));

it("the run of a killed worker is reported as failed once, is not repeated, and leaves no process", async () => {
  const worker = startRunning();
  await worker.line(/internal_worker_started/);
  const request = post("print('begun')\nwhile True: pass");
  await untilOne("state = 'running'");
  const children = listChildren(worker.pid);
  expect(children.length).toBeGreaterThan(0);

  worker.child.kill("SIGKILL");

  expect(await request).toMatchObject({ status: 503, body: { success: false, error: "run_interrupted" } });
  for (const child of children) await ended(child);
  const next = startRunning();
  expect(await post("print('the next one')")).toMatchObject({
    status: 200,
    body: { stdout: "the next one\n" },
  });
  await vi.waitFor(async () => {
    const runs = await listRuns(web.db, { job_id: "code_run", limit: 9 });
    const statuses = runs.map(({ status, worker_id }) => `${status} ${worker_id?.includes(`-${next.pid}-`)}`);
    expect(statuses.toSorted()).toEqual(["completed true", "failed false"]);
    expect(runs.find(({ status }) => status === "failed")).toMatchObject({
      failure_reason: "no_result",
      error_message: "The worker reported no result in time",
    });
  }, 30_000);
  expect(await states()).toEqual([]);
  next.child.kill("SIGTERM");
  await next.exit;
}, 300_000);

it("the next worker runs programs that a killed worker had claimed, and its running ones are answered at once", async () => {
  const kill = async (worker: ReturnType<typeof startRunning>) => {
    worker.child.kill("SIGKILL");
    await worker.exit;
  };
  const first = startRunning();
  const answer = post("print('taken')");
  await untilOne("state = 'queued' and worker is not null");
  await kill(first);

  const second = startRunning();
  expect(await answer).toMatchObject({ status: 200, body: { stdout: "taken\n" } });
  const running = post("while True: pass", 30);
  await untilOne("state = 'running'");
  const fetched = post("print('fetched')");
  await expect.poll(states).toHaveLength(2);
  // The state after a worker is killed just when the queue has handed the run out.
  const handOut =
    "update pgboss.job set state = 'active' where name = 'code_run' and state < 'active' returning id";
  await expect.poll(() => query(handOut)).toHaveLength(1);
  await kill(second);

  const third = startRunning();
  await third.line(/internal_worker_started/);
  const startedAt = performance.now();
  expect(await running).toMatchObject({ status: 503, body: { error: "run_interrupted" } });
  expect(await fetched).toMatchObject({ status: 200, body: { stdout: "fetched\n" } });
  // Earlier than the program's own limit.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  const runs = await listRuns(web.db, { job_id: "code_run", limit: 3 });
  expect(runs.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
  expect(await states()).toEqual([]);
  third.child.kill("SIGTERM");
  await third.exit;
}, 300_000);
