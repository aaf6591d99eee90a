import { expect, it, vi } from "vitest";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { installQueue, openQueue } from "#db/jobs/queue.server.ts";
import { findImport, queueImport } from "#db/library-zip/library-imports.server.ts";
import { required } from "#domain/required.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";
import { packNumbered, sendZip } from "#tests/support/files/library-zips.ts";
import { openTestStore } from "#tests/support/store.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const FILES = 200;
const OWNER = "1";
const store = await openTestStore();
const { db } = store;
const databaseUrl = await createTestPostgres();
await installQueue({ databaseUrl, log: silentLog });
/** For a machine that is busy with much else. */
const soon = { timeout: 240_000, interval: 20 };

const startImporting = (DATA_DIR: string) => startWorker({ uri: store.uri, databaseUrl }, { DATA_DIR });

it("an import whose worker is killed is finished by the next worker, and nothing is there twice or half", async () => {
  const dataDir = await temporaryDirectory("killed");
  const queue = await openQueue({ databaseUrl, log: silentLog });
  const find = async () => required(await findImport(db, OWNER, new Date()));
  const shown = () => db.files.countDocuments({ user_id: OWNER, deleted_at: null });
  const bytes = await packNumbered(FILES, "print(1)\n");

  const first = startImporting(dataDir);
  const handle = await sendZip({ db, clock: systemClock }, queue, OWNER, bytes);
  await vi.waitFor(async () => expect(await find()).toMatchObject({ state: "checked" }), soon);
  await queueImport({ db, queue }, handle, new Date());
  await vi.waitFor(async () => expect(await shown()).toBeGreaterThan(20), soon);
  first.child.kill("SIGKILL");
  await first.exit;

  const before = await shown();
  expect(before).toBeLessThan(FILES);
  expect(await find()).toMatchObject({ state: "importing", attempts: 1 });
  await db.workers.deleteMany({});
  startImporting(dataDir);
  await vi.waitFor(async () => expect(await db.workers.countDocuments({})).toBe(1), soon);
  await triggerJob(db, queue, "stuck_monitor", "manual", new Date());
  await vi.waitFor(async () => expect(await find()).toMatchObject({ state: "done" }), soon);

  expect(await find()).toMatchObject({
    attempts: 2,
    report: { kinds: { files: { added: FILES, here: 0, left: 0 }, versions: { added: FILES } } },
  });
  expect(await shown()).toBe(FILES);
  for (const name of ["files", "file_versions", "file_bodies"] as const)
    expect(await db[name].countDocuments({ user_id: OWNER }), name).toBe(FILES);
  expect(await db.files.countDocuments({ user_id: OWNER, importing: true })).toBe(0);
  expect(await db.library_import_chunks.countDocuments({})).toBe(0);

  await queue.close();
}, 600_000);
