import { describe, expect, it } from "vitest";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { listDevices } from "#db/reminders/push/push-subscriptions.server.ts";
import { acknowledgeReminder, findReminder, snoozeReminder } from "#db/reminders/reminders.server.ts";
import { required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { systemClock } from "#platform/clock.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { givenReminder } from "#tests/support/reminders/given-reminders.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { openPushing } from "#tests/support/workers/pushing-worker.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { reminderPush } from "#worker/jobs/reminder-push.ts";

const store = await openTestStore();
const { db, clock, events } = store;
const { service, services, gotBy, ...pushing } = await openPushing(store, {
  maxAttempts: 3,
  timeoutMs: 1_500,
});

let people = 0;
const somebody = () => {
  people += 1;
  return `person-${people}`;
};
const noonPlus = (ms: number) => new Date(NOON.getTime() + ms);
const run = (on = services, more: Parameters<typeof doJob<"reminder_push">>[2] = {}) =>
  doJob(reminderPush, on, more);
async function runAt(ms: number, more = {}) {
  clock.set(noonPlus(ms));
  return run(services, more).finally(() => clock.set(NOON));
}
const device = (owner: string, name = `${owner}-phone`) => pushing.device(owner, name);
const owedAt = async (noteId: string) =>
  (await db.reminders.find({}).toArray()).find(({ _id }) => _id.toHexString() === noteId)?.push_at;

/** A person with a due reminder, and with these devices. */
async function givenDue(...names: string[]) {
  const owner = somebody();
  if (names.length === 0) await device(owner);
  for (const name of names) await device(owner, `${owner}-${name}`);
  return { owner, note_id: (await givenReminder(db, owner, NOON)).note_id };
}

describe("a due reminder", () => {
  it("arrives signed and encrypted, with its note, its moment and what can be done about it", async () => {
    const owner = somebody();
    await device(owner);
    const { note_id, remind_at } = await givenReminder(
      db,
      owner,
      NOON,
      "לקנות חלב 🥛 and five more words please",
    );

    expect(await run()).toEqual({ sent: 1 });

    const [received, ...more] = gotBy(`${owner}-phone`);
    const { message, headers, bodyBytes } = required(received);
    expect(more).toEqual([]);
    expect(message.notification).toMatchObject({
      title: "Reminder",
      body: "לקנות חלב 🥛 and five more…",
      tag: `reminder-${note_id}`,
      actions: [
        { action: "open" },
        { action: "snooze_10" },
        { action: "snooze_60" },
        { action: "snooze_1440" },
      ],
    });
    expect(message.data).toEqual({
      type: "note_reminder",
      note_id,
      file_id: null,
      board_id: null,
      remind_at: remind_at.toISOString().replace("Z", "+00:00"),
    });
    expect(headers).toMatchObject({ ttl: "900", urgency: "high", "content-encoding": "aes128gcm" });
    expect(headers.topic).toMatch(/^[\w-]{1,32}$/);
    expect(bodyBytes).toBeLessThan(4096);
    expect(await owedAt(note_id)).toBeUndefined();
    expect((await events("push_send_attempt")).at(-1)).toMatchObject({
      attempt: 1,
      resource: { id: note_id },
    });
    expect(await run()).toEqual({});
  });

  it("goes to every device of its person once, and to no other", async () => {
    const other = somebody();
    await device(other);
    const { owner } = await givenDue("a", "b", "c");

    await run();

    expect(["a", "b", "c"].map((name) => gotBy(`${owner}-${name}`).length)).toEqual([1, 1, 1]);
    expect(gotBy(`${other}-phone`)).toEqual([]);
  });

  it("of somebody without a device is settled and announced, and not sent when a device comes later", async () => {
    const owner = somebody();
    const { note_id } = await givenReminder(db, owner, NOON);

    expect(await run()).toEqual({ no_subscriptions: 1 });

    expect((await events("push_send_no_subscriptions")).at(-1)).toMatchObject({ resource: { id: note_id } });
    await device(owner);
    expect(await run()).toEqual({});
    expect(await findReminder(db, owner, note_id)).toMatchObject({ status: "pending" });
  });
});

describe("a push service that says no", () => {
  it.each([404, 410])("for good (%i) loses the device, and the others get theirs", async (status) => {
    const { owner, note_id } = await givenDue("dead", "alive");
    service.answers(`${owner}-dead`, { status });

    expect(await run()).toEqual({ sent: 1 });

    expect(
      (await listDevices(db, newOwner(owner))).map(({ endpoint }) => endpoint.split("-").at(-1)),
    ).toEqual(["alive"]);
    expect((await events("push_deleted_dead_endpoints")).at(-1)).toMatchObject({ count: 1 });
    expect(await owedAt(note_id)).toBeUndefined();
  });

  it("for the last device leaves nobody to send to", async () => {
    const { owner } = await givenDue();
    service.answers(`${owner}-phone`, { status: 410 });

    expect(await run()).toEqual({ no_subscriptions: 1 });
  });

  it.each([500, 503])(
    "for now (%i) is asked again after a while, the device that has it is not",
    async (status) => {
      const owner = somebody();
      const weak = await device(owner, `${owner}-weak`);
      await device(owner, `${owner}-fine`);
      service.answers(`${owner}-weak`, { status });
      const { note_id } = await givenReminder(db, owner, NOON);

      expect(await run()).toEqual({ postponed: 1 });

      expect((await events("push_send_error")).at(-1)).toMatchObject({
        endpoint_hash: weak.endpoint_hash,
        status,
        error: `http_${status}`,
        severity: "error",
      });
      const next = required(await owedAt(note_id)).getTime() - NOON.getTime();
      expect(next).toBeGreaterThanOrEqual(5 * SECOND_MS);
      expect(next).toBeLessThanOrEqual(6 * SECOND_MS);
      expect(await runAt(6 * SECOND_MS)).toEqual({ sent: 1 });
      expect([gotBy(`${owner}-weak`).length, gotBy(`${owner}-fine`).length]).toEqual([2, 1]);
    },
  );

  it("with Retry-After is left alone for that long, by every reminder", async () => {
    const { owner, note_id } = await givenDue();
    service.answers(`${owner}-phone`, { status: 429, headers: { "Retry-After": "120" } });
    expect(await run()).toEqual({ postponed: 1 });
    expect(await owedAt(note_id)).toEqual(noonPlus(120 * SECOND_MS));

    const second = await givenReminder(db, owner, NOON);
    expect(await run()).toEqual({ postponed: 1 });

    expect(gotBy(`${owner}-phone`)).toHaveLength(1);
    expect(await owedAt(second.note_id)).toEqual(noonPlus(120 * SECOND_MS));
    expect(await runAt(120 * SECOND_MS)).toEqual({ sent: 2 });
  });

  it("to the message itself (413) is not asked again", async () => {
    const { owner } = await givenDue();
    service.answers(`${owner}-phone`, { status: 413 });

    expect(await run()).toEqual({ delivery_failed: 1 });
    expect(await run()).toEqual({});

    expect((await events("push_send_error")).at(-1)).toMatchObject({ status: 413 });
  });

  it("with a refusal is no delivery: a retry asks the device again, and reports the result", async () => {
    const { owner, note_id } = await givenDue();
    service.answers(`${owner}-phone`, { status: 403 }, { status: 403 }, { status: 201 });
    const retry = () => run(services, { payload: { note_id }, trigger: "manual" });

    expect(await run()).toEqual({ delivery_failed: 1 });
    expect(await retry()).toEqual({ delivery_failed: 1 });
    expect(await retry()).toEqual({ sent: 1 });
    expect(gotBy(`${owner}-phone`)).toHaveLength(3);
  });

  it("again and again is abandoned after the last allowed attempt", async () => {
    const { owner, note_id } = await givenDue();
    service.answers(`${owner}-phone`, { status: 500 }, "reset", "hang");

    for (const [day, end] of [{ postponed: 1 }, { postponed: 1 }, { delivery_failed: 1 }, {}].entries())
      expect(await runAt(day * DAY_MS)).toEqual(end);

    const errors = (await events("push_send_error")).slice(-3).map(({ error }) => error);
    expect(errors).toEqual(["http_500", "econnreset", "timeout"]);
    const attempts = (await events("push_send_attempt")).filter(({ resource }) => resource?.id === note_id);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(await findReminder(db, owner, note_id)).toMatchObject({ status: "pending" });
    const [given] = await listRuns(db, { job_id: "reminder_push", status: "failed", limit: 1 });
    const error_message = "No device of the person could be reached";
    expect(given).toMatchObject({ payload: { note_id }, failure_reason: "push_given_up", error_message });
    expect(given?.logs.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^Device [0-9a-f]{12}: timeout$/),
      "Given up after attempt 3",
    ]);
    expect(await runAt(4 * DAY_MS, { payload: { note_id } })).toEqual({ sent: 1 });
  });

  it("never brings an endpoint into a stored event", async () => {
    const stored = JSON.stringify(await db.events.find({}).toArray());
    expect(stored).toContain("push_send_error");
    expect(stored).not.toContain(service.url);
    expect(stored).not.toContain("/push/");
  });
});

describe("two things at once", () => {
  it("two workers side by side send each reminder once", async () => {
    const owner = somebody();
    await device(owner);
    for (let i = 0; i < 20; i += 1) await givenReminder(db, owner, noonPlus(-i));
    const second = { ...services, workerId: "w2" };

    await Promise.all([run(), run(second), run(), run(second)]);

    const notes = gotBy(`${owner}-phone`).map(({ message }) => message.data.note_id);
    expect(notes).toHaveLength(20);
    expect(new Set(notes).size).toBe(20);
  });

  it("a snooze between two devices wins: the second gets it at the new moment, and the first then too", async () => {
    const { owner, note_id } = await givenDue("one", "two");
    const later = noonPlus(10 * MINUTE_MS);
    service.onMessage(async ({ message }) => {
      if (message.data.note_id === note_id) await snoozeReminder(db, owner, note_id, later, later);
      service.onMessage(() => {});
    });

    expect(await run()).toEqual({ stale: 1 });

    expect([gotBy(`${owner}-one`).length, gotBy(`${owner}-two`).length]).toEqual([1, 0]);
    expect(await owedAt(note_id)).toEqual(later);
    expect(await runAt(10 * MINUTE_MS)).toEqual({ sent: 1 });
    expect([gotBy(`${owner}-one`).length, gotBy(`${owner}-two`).length]).toEqual([2, 1]);
  });

  it("an acknowledgement between two devices spares the second", async () => {
    const { owner, note_id } = await givenDue("one", "two");
    service.onMessage(async () => {
      await acknowledgeReminder(db, owner, note_id, NOON, NOON);
      service.onMessage(() => {});
    });

    expect(await run()).toEqual({ stale: 1 });

    expect(gotBy(`${owner}-two`)).toEqual([]);
    expect(await findReminder(db, owner, note_id)).toMatchObject({ status: "acknowledged" });
    expect(await run()).toEqual({});
  });

  it("a device that hangs keeps neither the person's other devices nor other people waiting", async () => {
    const owner = somebody();
    const other = somebody();
    await device(owner, `${owner}-hangs`);
    await device(owner, `${owner}-works`);
    await device(other);
    service.answers(`${owner}-hangs`, "hang");
    await givenReminder(db, owner, noonPlus(-1));
    await givenReminder(db, other, NOON);

    expect(await run()).toEqual({ postponed: 1, sent: 1 });

    expect(gotBy(`${owner}-works`)).toHaveLength(1);
    expect(gotBy(`${other}-phone`)).toHaveLength(1);
    await db.reminders.deleteMany({ user_id: owner });
  });

  it("a stop in the middle finishes started messages and releases the rest at once", async () => {
    const owner = somebody();
    await device(owner);
    for (let i = 0; i < 10; i += 1) await givenReminder(db, owner, noonPlus(-i));
    const stop = new AbortController();
    service.onMessage(() => stop.abort());

    const { sent } = (await run(services, { signal: stop.signal })) as { sent: number };
    service.onMessage(() => {});

    expect(sent).toBeLessThan(10);
    expect(await db.reminders.countDocuments({ user_id: owner, push_at: { $lte: NOON } })).toBe(10 - sent);
    await run();
    expect(gotBy(`${owner}-phone`)).toHaveLength(10);
  });

  it("a reminder due a moment later belongs to the same run, a distant one does not", async () => {
    const owner = somebody();
    await device(owner);
    const now = Date.now();
    for (const inMs of [-1, 60, 120, DAY_MS]) await givenReminder(db, owner, new Date(now + inMs));
    const push = { ...services.push, lingerMs: MINUTE_MS };

    expect(await run({ ...services, push, clock: systemClock })).toMatchObject({ sent: 3 });

    expect(gotBy(`${owner}-phone`)).toHaveLength(3);
    await db.reminders.deleteMany({ user_id: owner });
  });

  it("without a private key nothing is claimed", async () => {
    const owner = somebody();
    const { note_id } = await givenReminder(db, owner, NOON);
    expect(await run(createTestServices(store))).toEqual({ skipped: "no_vapid_private_key" });
    expect(await owedAt(note_id)).toEqual(NOON);
  });
});
