import { ObjectId } from "mongodb";
import { expect, it, onTestFinished, vi } from "vitest";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { listManifest } from "#db/repos/repo-manifest.server.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { findRepo } from "#db/repos/repos.server.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { DATA_KEY } from "#tests/support/accounts/data-keys.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { createRemote, serveRemote } from "#tests/support/repos/git-remotes.ts";
import { openMirrors } from "#tests/support/repos/mirrors.ts";
import { openTestStore } from "#tests/support/store.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const store = await openTestStore();
const { db } = store;
const databaseUrl = await createReleasedPostgres();
const mirrors = openMirrors(store);
const soon = { timeout: 120_000, interval: 50 };

const startSyncing = (DATA_DIR: string) =>
  startWorker({ uri: store.uri, databaseUrl }, { CODEHOST_ALLOW_LOCAL: "1", DATA_KEY, DATA_DIR });

it("a sync whose worker is killed shows nothing half-done, is held by nobody, and is finished by the next worker", async () => {
  onTestFinished(async () => void (await db.repos.deleteMany({})));
  const dataDir = await temporaryDirectory("killed");
  const queue = await openQueue({ databaseUrl, log: silentLog });
  const remote = createRemote();
  const before = remote.commit({ "a.txt": "one\n" });
  const served = await serveRemote(remote);
  const repo = await mirrors.sync(await mirrors.given("1", { url: served.url }));
  const key = { _id: new ObjectId(repo.id), user_id: "1" };
  // The queue's sweeps must not start it while the test looks.
  await db.repos.updateOne(key, { $set: { next_sync_at: new Date(Date.now() + 60 * MINUTE_MS) } });
  const find = async () => required(await findRepo(db, "1", repo.repo_name, new Date()));
  const paths = async () => [...(await listManifest(db, key)).keys()];

  const after = remote.commit({ "a.txt": null, "b.txt": "two\n" });
  const blocked = new Promise<void>((resolve) => {
    served.gate = ({ url }) => {
      if (!url?.includes("/objects/")) return undefined;
      resolve();
      return "hang";
    };
  });
  const first = startSyncing(dataDir);
  const lostRun = await requestSync(db, queue, repo, "manual", new Date());
  await blocked;
  expect(await find()).toMatchObject({ state: "syncing", head: before });
  first.child.kill("SIGKILL");
  await first.exit;

  expect(await paths()).toEqual(["a.txt"]);
  await db.workers.updateMany({}, { $set: { heartbeat_at: new Date(Date.now() - MINUTE_MS) } });
  expect(await find()).toMatchObject({ state: "ready", head: before, error: null });

  served.gate = () => undefined;
  const next = startSyncing(dataDir);
  await triggerJob(db, queue, "stuck_monitor", "manual", new Date());
  await vi.waitFor(async () => expect(await find()).toMatchObject({ state: "ready", head: after }), soon);
  expect(await paths()).toEqual(["b.txt"]);
  expect(await db.repos.findOne(key)).not.toHaveProperty("lease");
  expect(await findRun(db, lostRun)).toMatchObject({ status: "failed", failure_reason: "orphaned" });
  await vi.waitFor(async () => {
    // The queue may start a sweep of all mirrors at any moment; its run names no mirror.
    const runs = await db.job_runs
      .find({ job_id: "repo_sync", "payload.repo_id": repo.id })
      .sort({ started_at: -1 })
      .toArray();
    expect(runs.map(({ status }) => status)).toEqual(["completed", "failed"]);
  }, soon);

  next.child.kill("SIGTERM");
  await next.exit;
  await queue.close();
}, 300_000);
