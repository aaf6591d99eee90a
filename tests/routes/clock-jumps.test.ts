/** The machine's clock jumps forward or back under the product: by an hour, by a wrong time server, by an empty battery. */

import { beforeEach, describe, expect, it } from "vitest";
import { READINESS_SHARED_MS } from "#app/web/health/readiness.ts";
import { activateAnnouncement, createAnnouncement } from "#db/alerts/announcements.server.ts";
import { claimRun, createRun } from "#db/jobs/job-runs.server.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { newPersonId } from "#tests/support/given.ts";
import { givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { openPushing } from "#tests/support/workers/pushing-worker.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { orphanReconcile } from "#worker/jobs/orphan-reconcile.ts";
import { reminderPush } from "#worker/jobs/reminder-push.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "2", RATE_LIMIT_REQUESTS_PER_MINUTE: "6" });
const { db, clock } = web;
const JUMPS = { "an hour ahead": HOUR_MS, "an hour back": -HOUR_MS, "400 days ahead": 400 * DAY_MS };
type Jump = keyof typeof JUMPS;
const jumps = Object.entries(JUMPS) as [Jump, number][];

const noonPlus = (ms: number) => new Date(NOON.getTime() + ms);
beforeEach(() => clock.set(NOON));

describe.each(jumps)("the clock is set %s", (jump, byMs) => {
  it("and a limited caller is let in again within a minute", async () => {
    const visitor = web.visitor();
    const ask = async () => (await visitor.ask("/healthcheck-of-nobody")).status;
    for (let i = 0; i < 6; i += 1) await ask();
    expect(await ask()).toBe(429);

    clock.set(noonPlus(byMs));

    expect(await ask()).toBe(404);
  });

  it("and a session lasts as long as it was meant to, or a new one begins", async () => {
    const id = newPersonId();
    const dana = await web.person(id);

    clock.set(noonPlus(byMs));

    expect((await dana.ask("/api/me")).status).toBe(200);
    const here = (await dana.ask("/api/files")).status;
    expect(here).toBe(jump === "400 days ahead" ? 401 : 200);
    await dana.logIn(id);
    expect((await dana.ask("/api/files")).status).toBe(200);
  });

  it("and a new announcement is seen as soon as ever", async () => {
    const dana = await web.person(newPersonId());
    (await dana.show("/files")).html;
    const words = `Moved ${jump}`;
    const { id } = await createAnnouncement(db, { text: words, link: null }, NOON);
    await activateAnnouncement(db, id);

    clock.set(noonPlus(byMs));

    const again = jump === "400 days ahead" ? await web.person(newPersonId()) : dana;
    expect((await again.show("/files")).html).toContain(words);
  });

  it("and a living worker counts as living, and a dead one as dead", async () => {
    await db.workers.deleteMany({});
    await recordHeartbeat(db, "died", NOON, NOON);
    const readiness = async () => (await web.visitor().send("GET", "/readyz")).body.checks.worker;
    expect(await readiness()).toBe("ok");

    clock.set(noonPlus(byMs));
    expect(await readiness()).toBeOneOf(["silent", "absent"]);
    await recordHeartbeat(db, "lives", noonPlus(byMs), noonPlus(byMs));

    clock.set(noonPlus(byMs + READINESS_SHARED_MS));
    expect(await readiness()).toBe("ok");
  });
});

describe("reminders while the clock jumps", async () => {
  const { services, device, gotBy } = await openPushing(web, { maxAttempts: 3 });

  it.each(jumps)("%s and back again: each arrives once, none is lost", async (_, byMs) => {
    const owner = newPersonId();
    await device(owner);
    for (const dueMs of [0, 10 * MINUTE_MS, 2 * HOUR_MS]) await givenReminder(db, owner, noonPlus(dueMs));
    const walk = [0, byMs, 0, 5 * MINUTE_MS, byMs, 11 * MINUTE_MS, 3 * HOUR_MS, 0, 3 * HOUR_MS];

    for (const nowMs of walk) {
      clock.set(noonPlus(nowMs));
      await doJob(reminderPush, services);
    }

    expect(gotBy(owner)).toHaveLength(3);
    expect(await db.reminders.countDocuments({ user_id: owner, push_at: { $gt: new Date(0) } })).toBe(0);
  });

  it("a dead worker's run is closed after the clock has moved on, and only after certain silence", async () => {
    await db.job_runs.deleteMany({});
    const run_ = await createRun(db, "trash_check", "manual", NOON);
    await claimRun(db, run_, "died", NOON);
    const status = async () => required(await db.job_runs.findOne({ _id: run_.run_id })).status;
    const reconcile = () => {
      const lock = { held: true, acquiredAt: clock(), release: async () => {} };
      return doJob(orphanReconcile, createTestServices(web, { lock }));
    };

    clock.set(noonPlus(-HOUR_MS));
    await reconcile();
    expect(await status()).toBe("running");
    clock.set(noonPlus(30 * SECOND_MS));
    await reconcile();
    expect(await status()).toBe("running");
    clock.set(noonPlus(HOUR_MS));
    await reconcile();
    expect(await status()).not.toBe("running");
  });
});
