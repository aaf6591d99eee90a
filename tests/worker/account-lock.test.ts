import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { lockAccount, unlockAccount } from "#db/operations/account-lock.server.ts";
import { endAllCredentials } from "#db/operations/credentials.server.ts";
import { createPushEvent } from "#db/reminders/push/push-events.server.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { SendPush } from "#platform/outbound/web-push.ts";
import { givenAccount } from "#tests/support/accounts/accounts.ts";
import { givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { givenRepo } from "#tests/support/repos/given-repo.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { openPushing } from "#tests/support/workers/pushing-worker.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import type { JobHandler, WorkerServices } from "#worker/job.ts";
import { libraryImport } from "#worker/jobs/library-import.ts";
import { pushEvents } from "#worker/jobs/push-events.ts";
import { reminderPush } from "#worker/jobs/reminder-push.ts";
import { repoAnalysis } from "#worker/jobs/repo-analysis.ts";
import { repoImport } from "#worker/jobs/repo-import.ts";
import { repoSync } from "#worker/jobs/repo-sync.ts";
import { queueDueRepos } from "#worker/mirror/sweep.ts";

const store = await openTestStore();
const { db, clock } = store;
const { send, services, device, ...pushing } = await openPushing(store, { maxAttempts: 3 });
const gotBy = (name: string) => pushing.gotBy(name).length;
const remind = (on = services) => doJob(reminderPush, on);
const sweep = async () => [await remind(), await doJob(pushEvents, services)];
const news = { kind: "file_saved", file_id: "5f".repeat(12), file_name: "a.py", created: true } as const;

describe("a notification for a locked account", () => {
  it("waits, holds up nobody else, and is sent after the unlocking", async () => {
    for (const owner of ["11", "12"]) {
      await device(owner);
      await givenReminder(db, owner, NOON);
      await createPushEvent(db, owner, news, NOON);
    }
    await lockAccount(db, "11", NOON);

    expect(await sweep()).toEqual([
      { sent: 1, postponed: 1 },
      { sent: 1, postponed: 1 },
    ]);
    expect([gotBy("11"), gotBy("12")]).toEqual([0, 2]);
    expect(await sweep()).toEqual([{}, {}]);

    await unlockAccount(db, "11", NOON);
    expect(await sweep()).toEqual([{ sent: 1 }, { sent: 1 }]);
    expect([gotBy("11"), gotBy("12")]).toEqual([2, 2]);
  });

  it("is looked at again by itself, should the unlocking not have woken it", async () => {
    await device("13");
    await givenReminder(db, "13", NOON);
    await lockAccount(db, "13", NOON);
    expect(await remind()).toEqual({ postponed: 1 });
    await db.users.updateOne({ _id: "13" }, { $unset: { locked_at: "" } });
    expect(await remind()).toEqual({});

    clock.set(new Date(NOON.getTime() + 5 * MINUTE_MS));
    expect(await remind()).toEqual({ sent: 1 });
    clock.set(NOON);
  });
});

describe("devices of an older epoch", () => {
  it("are not sent to, while those of the newer one are", async () => {
    await device("21", "21-old");
    await db.users.updateOne({ _id: "21" }, { $inc: { credential_epoch: 1 } });
    await device("21", "21-new");
    await givenReminder(db, "21", NOON);

    expect(await remind()).toEqual({ sent: 1 });

    expect([gotBy("21-old"), gotBy("21-new")]).toEqual([0, 1]);
  });

  it.each<[string, (owner: string) => Promise<unknown>, Record<string, number>]>([
    ["all are ended", (owner) => endAllCredentials(db, owner), { postponed: 1, sent: 1 }],
    ["the account is locked", (owner) => lockAccount(db, owner, NOON), { postponed: 2 }],
    [
      "it is removed",
      (owner) => db.push_subscriptions.deleteMany({ user_id: owner }),
      { postponed: 1, sent: 1 },
    ],
  ])("are spared from the moment that %s, in the middle of a delivery", async (what, end, tally) => {
    const owner = `22 ${what}`.replaceAll(" ", "-");
    await device(owner, `${owner}-first`);
    await device(owner, `${owner}-second`);
    const { note_id } = await givenReminder(db, owner, NOON);
    const ending: SendPush = async (...args) => {
      const outcome = await send(...args);
      await end(owner);
      return outcome;
    };

    expect(await remind({ ...services, push: { ...services.push, send: ending } })).toEqual(tally);

    expect([gotBy(`${owner}-first`), gotBy(`${owner}-second`)]).toEqual([1, 0]);
    await db.reminders.deleteOne({ _id: new ObjectId(note_id) });
  });
});

it("an import into a locked account does not begin, and is still there after the unlocking", async () => {
  await givenAccount(db, "41", NOON);
  await db.library_imports.insertOne({
    _id: "41",
    import_id: "i",
    state: "checking",
    worker_id: null,
    attempts: 0,
  } as never);
  await lockAccount(db, "41", NOON);

  const payload = { user_id: "41", import_id: "i" };
  expect(await doJob(libraryImport, services, { payload })).toEqual({ outcome: "account_locked" });

  expect(await db.library_imports.findOne({ _id: "41" })).toMatchObject({
    state: "checking",
    worker_id: null,
  });
});

it("mirrors of a locked account rest until their next time, and their jobs do nothing", async () => {
  const queued: string[] = [];
  const requeue: WorkerServices["requeue"] = async (_, __, { repo_id }) => queued.push(String(repo_id));
  const on = createTestServices(store, { requeue });
  for (const owner of ["31", "32"]) await givenAccount(db, owner, NOON);
  const resting = await givenRepo(db, "31", "dana/rests", { "a.py": "x\n" });
  const working = await givenRepo(db, "32", "dana/works", { "a.py": "x\n" });
  const due = { $set: { next_sync_at: NOON } };
  await db.repos.updateMany({ user_id: { $in: ["31", "32"] } }, due);
  await lockAccount(db, "31", NOON);

  expect(await queueDueRepos(on)).toBe(1);
  expect(queued).toEqual([working.id]);
  const payload = { repo_id: resting.id };
  for (const job of [repoSync, repoImport, repoAnalysis])
    expect(await doJob<JobId>(job as JobHandler<JobId>, on, { payload })).toEqual({
      outcome: "account_locked",
    });

  await unlockAccount(db, "31", NOON);
  await db.repos.updateMany({ user_id: "31" }, due);
  expect(await queueDueRepos(on)).toBe(1);
  expect(queued.at(-1)).toBe(resting.id);
  expect(await doJob(repoAnalysis, on, { payload })).toMatchObject({ outcome: "analysed" });
});
