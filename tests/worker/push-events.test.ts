import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { PushEventDoc } from "#db/reminders/push/documents.ts";
import { createPushEvent } from "#db/reminders/push/push-events.server.ts";
import { NOTE_NEWS_KINDS } from "#domain/reminders/push-message.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { openPushing } from "#tests/support/workers/pushing-worker.ts";
import { pushEvents } from "#worker/jobs/push-events.ts";
import { handleSubscriptionsCleanup } from "#worker/jobs/push-subscriptions-cleanup.ts";

const store = await openTestStore();
const { db, clock, events, given } = store;
const { service, services, device, gotBy } = await openPushing(store, { maxAttempts: 2 });

const run = () => doJob(pushEvents, services);
const file_id = "5f".repeat(12);

/** An event as another service writes it, with only the agreed fields. */
async function givenEvent(user_id: string, more: Partial<PushEventDoc> = {}): Promise<ObjectId> {
  const _id = new ObjectId();
  await db.push_events.insertOne({
    _id,
    user_id,
    kind: "file_saved",
    file_id,
    file_name: "שלום.py",
    created: true,
    created_at: NOON,
    needs_push: true,
    attempts: 0,
    sent_at: null,
    skipped_reason: null,
    ...more,
  });
  return _id;
}

const find = (_id: ObjectId) => db.push_events.findOne({ _id });

describe("an event in the outbox", () => {
  it("is sent to its person's devices once, and is then done", async () => {
    await device("reader");
    const id = await givenEvent("reader");

    expect(await run()).toEqual({ sent: 1 });
    expect(await run()).toEqual({});

    const got = gotBy("reader");
    expect(got).toHaveLength(1);
    expect(itemAt(got, 0).message).toMatchObject({
      notification: { body: "שלום.py", actions: [{ action: "open" }] },
      data: { type: "file_saved", file_id },
    });
    expect(await find(id)).toMatchObject({ needs_push: false, sent_at: NOON, skipped_reason: null });
    expect((await events("push_event_send_attempt")).at(-1)).toMatchObject({
      attempt: 1,
      resource: { type: "push_event", id: id.toHexString() },
    });
  });

  it.each(NOTE_NEWS_KINDS)(
    "of the kind %s tells the first words of its note and where it is",
    async (kind) => {
      await device(kind);
      const note = await given.note(kind, { content: "one two three four five six seven" });
      await createPushEvent(db, kind, { kind, note_id: note.id, file_id: null }, NOON);

      expect(await run()).toEqual({ sent: 1 });

      const { message } = required(gotBy(kind)[0]);
      expect(message).toMatchObject({
        notification: { body: "one two three four five six…", tag: `note-${note.id}` },
        data: { type: kind, note_id: note.id },
      });
    },
  );

  it("about a note that is gone is skipped", async () => {
    await device("forgetful");
    const id = await givenEvent("forgetful", { kind: "note_added", note_id: "5e".repeat(12) });
    await run();
    expect(await find(id)).toMatchObject({ needs_push: false, skipped_reason: "incomplete_event" });
  });

  it("of an unknown kind is disabled, announced, and not picked again", async () => {
    await device("stranger");
    const id = await givenEvent("stranger", { kind: "moon_risen" });
    const odd = await givenEvent("stranger", { kind: "constructor" });

    expect(await run()).toEqual({});

    for (const _id of [id, odd])
      expect(await find(_id)).toMatchObject({
        needs_push: false,
        skipped_reason: "unknown_kind",
        sent_at: null,
      });
    expect((await events("push_event_unknown_kind")).map(({ kind }) => kind).toSorted()).toEqual([
      "constructor",
      "moon_risen",
    ]);
    expect(gotBy("stranger")).toEqual([]);
  });

  it.each([{ file_id: null }, { file_name: "" }, { file_id: undefined }])(
    "without what it tells of (%o) is skipped",
    async (lacking) => {
      const id = await givenEvent("reader", lacking);
      await run();
      expect(await find(id)).toMatchObject({ needs_push: false, skipped_reason: "incomplete_event" });
    },
  );

  it("for somebody without a device is skipped", async () => {
    const id = await givenEvent("nobody");
    expect(await run()).toEqual({ no_subscriptions: 1 });
    expect(await find(id)).toMatchObject({ needs_push: false, skipped_reason: "no_subscriptions" });
  });

  it("whose last device proves gone is skipped without the alarm of a failure", async () => {
    await device("leaver");
    service.answers("leaver", { status: 410 });
    const id = await givenEvent("leaver");
    await run();
    expect(await find(id)).toMatchObject({ skipped_reason: "no_subscriptions" });
    expect(await events("push_event_delivery_exhausted")).toEqual([]);
  });

  it("that fails up to the ceiling becomes final, and that is announced", async () => {
    await device("unlucky");
    service.answers("unlucky", { status: 500 }, { status: 502 });
    const id = await givenEvent("unlucky");

    expect(await run()).toEqual({ postponed: 1 });
    expect(await find(id)).toMatchObject({ needs_push: true, attempts: 1 });
    clock.set(new Date(NOON.getTime() + DAY_MS));
    expect(await run()).toEqual({ delivery_failed: 1 });
    clock.set(NOON);

    expect(await find(id)).toMatchObject({
      needs_push: false,
      attempts: 2,
      sent_at: null,
      skipped_reason: "delivery_failed",
    });
    expect(await events("push_event_delivery_exhausted")).toMatchObject([{ attempts: 2, severity: "error" }]);
  });

  it("is sent once by two workers side by side", async () => {
    await device("twice");
    for (let i = 0; i < 10; i += 1) await givenEvent("twice");
    await Promise.all([run(), run()]);
    expect(gotBy("twice")).toHaveLength(10);
  });
});

it("the cleaning of devices removes those that failed for a month, and keeps the quiet ones", async () => {
  const failing = await device("failing");
  await device("quiet");
  service.answers("failing", { status: 500 });
  await givenEvent("failing");
  await run();
  const cleanup = () => doJob(handleSubscriptionsCleanup, services);
  clock.set(new Date(NOON.getTime() + 29 * DAY_MS));
  expect(await cleanup()).toEqual({ removed: 0 });

  clock.set(new Date(NOON.getTime() + 31 * DAY_MS));
  expect(await db.push_subscriptions.countDocuments({ endpoint_hash: failing.endpoint_hash })).toBe(1);
  const { removed } = (await cleanup()) as { removed: number };
  clock.set(NOON);

  expect(removed).toBeGreaterThanOrEqual(1);
  expect(await db.push_subscriptions.countDocuments({ endpoint_hash: failing.endpoint_hash })).toBe(0);
  expect(await db.push_subscriptions.countDocuments({ user_id: "quiet" })).toBe(1);
  expect((await events("push_subscriptions_cleanup")).at(-1)).toMatchObject({ count: removed });
});
