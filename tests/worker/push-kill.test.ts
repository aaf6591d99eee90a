import { afterAll, expect, it, vi } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { givenDevice, givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { openTestStore, standingClock } from "#tests/support/store.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { orphanReconcile } from "#worker/jobs/orphan-reconcile.ts";

const KILLS = 3;
const REMINDERS = 20;
const store = await openTestStore();
const { db } = store;
const databaseUrl = await createReleasedPostgres();
const pair = generateVapidPair();
const service = await openPushService(pair.publicKey);
afterAll(() => service.close());
for (const name of ["left", "right"]) await givenDevice(db, "p", service.browser(name), new Date());

const startPushing = () =>
  startWorker(
    { uri: store.uri, databaseUrl },
    { VAPID_PUBLIC_KEY: pair.publicKey, VAPID_PRIVATE_KEY: pair.privateKey, PUSH_ALLOW_LOOPBACK: "1" },
  );

const owed = () => db.reminders.countDocuments({ push_at: { $gt: new Date(0) } });

/** Kills a worker after its message arrived and before it learns that. Then its claims run out. */
async function killAfter(messages: number): Promise<void> {
  const worker = startPushing();
  let messagesLeft = messages;
  const killed = new Promise<void>((resolve) => {
    service.onMessage(async () => {
      messagesLeft -= 1;
      if (messagesLeft !== 0) return;
      worker.child.kill("SIGKILL");
      await worker.exit;
      resolve();
    });
  });
  await killed;
  service.onMessage(() => {});
  await db.reminders.updateMany({ push_at: { $gt: new Date() } }, { $set: { push_at: new Date() } });
}

itInFullRun(
  "a worker that is killed again and again loses no reminder, repeats one a kill at most, unseen, and leaves no run open",
  async () => {
    const now = new Date();
    for (let i = 0; i < REMINDERS; i += 1) await givenReminder(db, "p", now);
    expect(await owed()).toBe(REMINDERS);

    for (let kill = 0; kill < KILLS; kill += 1) await killAfter(5 + kill);
    const last = startPushing();
    await vi.waitFor(async () => expect(await owed()).toBe(0), { timeout: 120_000, interval: 50 });
    last.child.kill("SIGTERM");
    await last.exit;

    const got = Map.groupBy(service.received, ({ device, message }) => `${device} ${message.data.note_id}`);
    expect(got.size).toBe(2 * REMINDERS);
    const repeated = [...got.values()].filter(({ length }) => length > 1);
    expect(service.received.length - got.size).toBeLessThanOrEqual(KILLS);
    for (const [first, second] of repeated) {
      expect(required(second).headers.topic).toBe(required(first).headers.topic);
      expect(required(second).message).toEqual(required(first).message);
    }

    const running = await listRuns(db, { status: "running", limit: 50 });
    expect(running.length).toBeGreaterThanOrEqual(KILLS);
    const later = new Date(Date.now() + 6 * MINUTE_MS);
    const services = createTestServices(
      { db, clock: standingClock(later) },
      { lock: { held: true, acquiredAt: later, release: async () => {} } },
    );
    expect(await doJob(orphanReconcile, services)).toMatchObject({ count: running.length, skipped: 0 });
    expect(await listRuns(db, { status: "running", limit: 50 })).toEqual([]);
  },
  300_000,
);

it("a worker that is running sends a reminder within moments of its time, while the queue's clock stands between minutes", async () => {
  const worker = startPushing();
  await worker.line(/internal_worker_started/);
  const before = service.received.length;
  const { note_id } = await givenReminder(db, "p", new Date(Date.now() + 300));

  await vi.waitFor(() => expect(service.received.length).toBe(before + 2), { timeout: 20_000, interval: 20 });

  expect(service.received.slice(before).map(({ message }) => message.data.note_id)).toEqual([
    note_id,
    note_id,
  ]);
  worker.child.kill("SIGTERM");
  expect(await worker.exit).toEqual({ code: 0, signal: null });
});
