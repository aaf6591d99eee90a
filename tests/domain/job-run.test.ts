import { describe, expect, it } from "vitest";
import { stuckReason } from "#domain/jobs/job-run.ts";

const now = new Date("2026-11-14T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const run = (startedMinutesAgo: number, heardMinutesAgo: number | null) => ({
  started_at: minutesAgo(startedMinutesAgo),
  heartbeat_at: heardMinutesAgo === null ? null : minutesAgo(heardMinutesAgo),
});

describe("a running run", () => {
  it.each([
    ["works while it is heard of", run(4, 0), null],
    ["works at exactly five silent minutes", run(5, 5), null],
    ["is stuck after five silent minutes", run(10, 5.01), "heartbeat_stale"],
    ["is stuck when it was never heard of", run(6, null), "heartbeat_stale"],
    ["works at exactly twenty minutes", run(20, 0), null],
    ["is stuck beyond twenty minutes, heard of or not", run(20.01, 0), "too_long"],
  ])("%s", (_, moments, reason) => {
    expect(stuckReason(moments, now)).toBe(reason);
  });
});
