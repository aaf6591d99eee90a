import { expect, it } from "vitest";
import { stuckReason } from "#domain/jobs/job-run.ts";
import { isSilent } from "#domain/jobs/worker-silence.ts";

const now = new Date("2026-11-14T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const run = (startedMinutesAgo: number, heartbeatMinutesAgo: number | null) => ({
  started_at: minutesAgo(startedMinutesAgo),
  heartbeat_at: heartbeatMinutesAgo === null ? null : minutesAgo(heartbeatMinutesAgo),
});

it.each([
  ["works while it sends heartbeats", run(4, 0), null],
  ["works at exactly five silent minutes", run(5, 5), null],
  ["is stuck after five silent minutes", run(10, 5.01), "heartbeat_stale"],
  ["is stuck when it never sent a heartbeat", run(6, null), "heartbeat_stale"],
  ["works at exactly twenty minutes", run(20, 0), null],
  ["is stuck beyond twenty minutes, with heartbeats or without", run(20.01, 0), "too_long"],
])("a run in progress %s", (_, moments, reason) => {
  expect(stuckReason(moments, now)).toBe(reason);
});

it("a worker or run responds up to 30 seconds after its last heartbeat", () => {
  expect([isSilent(minutesAgo(0.5), now), isSilent(minutesAgo(0.501), now)]).toEqual([false, true]);
});
