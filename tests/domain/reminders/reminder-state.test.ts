import { describe, expect, it } from "vitest";
import { limitHoldMs, retryWaitMs } from "#domain/reminders/push-retry.ts";
import { acknowledgement, snooze } from "#domain/reminders/reminder-schema.ts";
import {
  computeSnoozeEnd,
  REMINDER_STATUSES,
  summarizeReminders,
  toPreview,
} from "#domain/reminders/reminder-state.ts";
import { checkBySchema } from "#domain/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

const NOW = new Date("2026-11-14T12:00:00.000Z");
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe("when a client should ask again", () => {
  const rows: [what: string, due: number, next: number | null, seconds: number | null][] = [
    ["nothing to come and no badge: never of its own", 0, null, null],
    ["a reminder to come and no badge: at that moment", 0, 7200, 7200],
    ["a badge and nothing to come: within five minutes", 3, null, 300],
    ["a badge and a reminder that is farther: within five minutes", 1, 301, 300],
    ["a badge and a reminder that is nearer: the nearer", 1, 299, 299],
    ["part of a second: rounded up", 0, 0.001, 1],
    ["part of a second after whole ones: rounded up", 2, 10.2, 11],
    ["a moment already gone by: now, never a negative number", 0, -5, 0],
  ];

  it.each(rows)("%s", (_, due, next, seconds) => {
    expect(summarizeReminders(due, next === null ? null : inSeconds(next), NOW)).toEqual({
      has_due: due > 0,
      count_due: due,
      next_in_seconds: seconds,
    });
  });
});

describe("snoozing", () => {
  it.each([
    [1, 1],
    [1440, 1440],
    [undefined, 60],
    [null, 60],
  ])("by %j puts it off by %i minutes from now", (minutes, expected) => {
    expect(checkBySchema(snooze, { minutes })).toBe(expected);
    expect(computeSnoozeEnd(expected, NOW)).toEqual(inSeconds(expected * 60));
  });

  it.each([0, 1441, -5, 1.5, "10", "", true, false, [], {}, Number.NaN])(
    "by %j is not a number of minutes",
    (minutes) => {
      expect(checkBySchema(snooze, { minutes })).toMatchObject({ refused: "invalid_minutes" });
    },
  );
});

it("is pending or acknowledged", () => {
  expect([...REMINDER_STATUSES]).toEqual(["pending", "acknowledged"]);
});

describe("a preview", () => {
  it("has the first six words, and says when there are more", () => {
    expect(toPreview("one two three four five six")).toBe("one two three four five six");
    expect(toPreview("one two three four five six seven")).toBe("one two three four five six…");
    expect(toPreview("")).toBe("");
  });

  it("splits words at any white space of any script", () => {
    expect(toPreview("  לקנות\u00a0חלב\n\tולחם \u3000 ביצים, גבינה ותה ירוק")).toBe(
      "לקנות חלב ולחם ביצים, גבינה ותה…",
    );
  });
});

it("a message is tried for an hour with growing pauses, the first after seconds", () => {
  const waits = [1, 2, 3, 4].map((attempt) => retryWaitMs(attempt, 0));
  expect(waits).toEqual([5 * SECOND_MS, MINUTE_MS, 9 * MINUTE_MS, 50 * MINUTE_MS]);
  expect(retryWaitMs(5, 0)).toBe(HOUR_MS);
  expect(retryWaitMs(9, 1)).toBe(1.2 * HOUR_MS);
});

it("a device is left alone for as long as its push service asks, a day at most", () => {
  expect(limitHoldMs(0)).toBe(0);
  expect(limitHoldMs(90 * SECOND_MS)).toBe(90 * SECOND_MS);
  expect(limitHoldMs(DAY_MS)).toBe(DAY_MS);
  expect(limitHoldMs(DAY_MS + 1)).toBe(DAY_MS);
});

it.each([null, "2026-11-14", "2026-11-14T09:00", "2026-11-14T09:00:00"])(
  "an acknowledgement of the moment %j is refused: it has no time or no offset",
  (remind_at) => {
    expect(acknowledgement.safeParse({ note_id: "n" }).success).toBe(true);
    expect(acknowledgement.safeParse({ note_id: "n", remind_at: "2026-11-14T09:00+02:00" }).success).toBe(
      true,
    );
    expect(acknowledgement.safeParse({ note_id: "n", remind_at }).success).toBe(false);
  },
);
