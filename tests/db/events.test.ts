import { describe, expect, it } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { createEmitter } from "#db/events/events.server.ts";
import type { Emit } from "#domain/events/events.ts";
import { createLog } from "#platform/log.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { withRequestId } from "#platform/request-id.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, mongo, events } = await openTestStore();
const THING = { type: "token", id: "t1" };

function listening(collection = mongo.collections.events, clock: () => Date = () => NOON) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLog({ process: "test", level: "debug", write: (line) => lines.push(line) });
  return {
    lines,
    metrics,
    emitter: createEmitter({
      collections: { ...mongo.collections, events: collection },
      log,
      metrics,
      clock,
    }),
  };
}

describe("an event", () => {
  it("is one log line, one record and one more in the count", async () => {
    const { lines, metrics, emitter } = listening();
    withRequestId("request-7", () => emitter.emit("share_view_not_found", { share_id: "s1" }));
    await emitter.flush();

    const expected = {
      event: "share_view_not_found",
      severity: "warn",
      request_id: "request-7",
      share_id: "s1",
    };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ...expected, msg_he: "הקישור לא נמצא" }]);
    expect(await events("share_view_not_found")).toMatchObject([
      { ...expected, timestamp: NOON, msg_he: "הקישור לא נמצא" },
    ]);
    expect(await metrics.text()).toContain('codeshelf_events_total{event="share_view_not_found"} 1');
  });

  it("is counted by how often it happened, whatever it counts itself", async () => {
    const { emitter } = listening();
    for (const count of [1, 0, 5]) emitter.emit("sessions_revoked", { count, resource: THING });
    await emitter.flush();

    const [minute] = await mongo.collections.event_counts.find({ unit: "minute", at: NOON }).toArray();
    expect(minute?.counts.sessions_revoked).toBe(3);
  });

  it("with a field it does not have is neither stored nor thrown back", async () => {
    const { lines, emitter } = listening();
    const emit = emitter.emit as unknown as (...unchecked: unknown[]) => ReturnType<Emit>;
    emit("alerts_parse_error", { error: "x", first_name: "Dana" });
    await emitter.flush();
    expect(await events("alerts_parse_error")).toEqual([]);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["event_refused"]);
    expect(lines.join()).not.toContain("Dana");
  });

  it("that strangers can cause is told ten times a minute, counted always, and says how many were only counted", async () => {
    await mongo.collections.events.deleteMany({});
    await mongo.collections.event_counts.deleteMany({});
    let now = NOON;
    const { lines, metrics, emitter } = listening(mongo.collections.events, () => now);
    for (let i = 0; i < 1_000; i += 1) emitter.emit("share_view_not_found", { share_id: `made-up-${i}` });
    emitter.emit("auth_refused", { reason: "invalid_hash" });
    await emitter.flush();

    expect(await mongo.collections.events.countDocuments({ event: "share_view_not_found" })).toBe(10);
    expect(await mongo.collections.events.countDocuments({ event: "auth_refused" })).toBe(1);
    expect(lines).toHaveLength(11);
    expect(await metrics.text()).toContain('codeshelf_events_total{event="share_view_not_found"} 1000');
    const counts = await mongo.collections.event_counts.find({}).toArray();
    expect(counts.map(({ unit, counts }) => [unit, counts])).toEqual([
      ["minute", { share_view_not_found: 1_000, auth_refused: 1 }],
      ["hour", { share_view_not_found: 1_000, auth_refused: 1 }],
    ]);

    now = new Date(NOON.getTime() + 60_000);
    for (let i = 0; i < 2; i += 1) emitter.emit("share_view_not_found", { share_id: "later" });
    await emitter.flush();
    const later = await events("share_view_not_found");
    expect(later.slice(10).map(({ share_id, suppressed }) => [share_id, suppressed])).toEqual([
      ["later", 990],
      ["later", undefined],
    ]);
  });

  it("of our own doing is told however often it happens", async () => {
    const { emitter } = listening();
    const before = (await events("token_revoked")).length;
    for (let i = 0; i < 30; i += 1) emitter.emit("token_revoked", { resource: THING });
    await emitter.flush();
    expect(await events("token_revoked")).toHaveLength(before + 30);
  });

  it("waits while the store is away and is kept once it is back", async () => {
    let isAway = true;
    const { events: flaky } = replaceVerb(db, "events", "insertMany", (insertMany, ...words) =>
      isAway ? Promise.reject(new Error("away")) : insertMany(...words),
    );
    const { emitter } = listening(flaky);
    emitter.emit("push_send_no_subscriptions", { resource: THING });
    await emitter.flush();
    expect(await events("push_send_no_subscriptions")).toEqual([]);

    isAway = false;
    await emitter.close();
    expect(await events("push_send_no_subscriptions")).toHaveLength(1);
  });

  it("gives way to newer ones while the store is away, and how many did is told afterwards", async () => {
    let isAway = true;
    const { events: flaky } = replaceVerb(db, "events", "insertMany", (insertMany, ...words) =>
      isAway ? Promise.reject(new Error("away")) : insertMany(...words),
    );
    const { emitter, metrics, lines } = listening(flaky);
    for (let i = 0; i < 5_007; i++) emitter.emit("push_test_result", { sent: i, errors: 0, resource: THING });
    await emitter.flush();
    expect(lines).toHaveLength(5_008);
    expect(await metrics.text()).toContain("codeshelf_events_dropped_total 7");

    isAway = false;
    await emitter.close();
    // If the clock is set back during this test, the order of the events' times changes.
    const numbers = (await events("push_test_result")).map(({ sent }) => Number(sent));
    expect([numbers.length, Math.min(...numbers)]).toEqual([5_000, 7]);
    expect(await events("events_dropped")).toMatchObject([{ count: 7, severity: "error" }]);
  });
});

it("the subject of an event follows from its fields, and a person is named by an id of our own", async () => {
  const { emitter } = listening();
  emitter.emit("job_skipped", { job_id: "trash_check", run_id: "r1", reason: "disabled" });
  emitter.emit("push_subscribed", { endpoint_hash: "h1" });
  emitter.emit("share_view_error", { share_id: "s1", error: "x" });
  emitter.emit("db_index_create_error", { collection: "files", index: "by_name", error: "x" });
  emitter.emit("business_metric", { metric: "login", resource: { type: "user", id: "123456789" } });
  emitter.emit("internal_web_started", { port: 1, ms: 1 });
  await emitter.close();
  const about = async (name: Parameters<typeof events>[0]) => (await events(name)).at(-1)?.resource;
  expect(await about("job_skipped")).toEqual({ type: "job_run", id: "r1" });
  expect(await about("push_subscribed")).toEqual({ type: "device", id: "h1" });
  expect(await about("share_view_error")).toEqual({ type: "share", id: "s1" });
  expect(await about("db_index_create_error")).toEqual({ type: "index", id: "by_name" });
  expect(await about("business_metric")).toEqual({ type: "user", id: toEventPerson("123456789") });
  expect(toEventPerson("123456789")).not.toContain("123456789");
  expect(await about("internal_web_started")).toBeUndefined();
});
