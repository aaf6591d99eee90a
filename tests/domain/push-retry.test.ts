import { expect, it } from "vitest";
import { retryWaitMs } from "#domain/reminders/push-retry.ts";
import { acknowledgement } from "#domain/reminders/reminder-schema.ts";
import { HOUR_MS, SECOND_MS } from "#domain/time/durations.ts";

it("a message is tried for an hour with growing pauses, the first after seconds", () => {
  const waits = [1, 2, 3, 4].map((attempt) => retryWaitMs(attempt, 0));
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits[0]).toBe(5 * SECOND_MS);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(HOUR_MS);
  expect(retryWaitMs(9, 1)).toBe(1.2 * HOUR_MS);
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
