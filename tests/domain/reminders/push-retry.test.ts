import { expect, it } from "vitest";
import { heldMs, retryWaitMs } from "#domain/reminders/push-retry.ts";
import { acknowledgement } from "#domain/reminders/reminder-schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

it("a message is tried for an hour with growing pauses, the first after seconds", () => {
  const waits = [1, 2, 3, 4].map((attempt) => retryWaitMs(attempt, 0));
  expect(waits).toEqual([5 * SECOND_MS, MINUTE_MS, 9 * MINUTE_MS, 50 * MINUTE_MS]);
  expect(retryWaitMs(5, 0)).toBe(HOUR_MS);
  expect(retryWaitMs(9, 1)).toBe(1.2 * HOUR_MS);
});

it("a device is left alone for as long as its push service asks, a day at most", () => {
  expect(heldMs(0)).toBe(0);
  expect(heldMs(90 * SECOND_MS)).toBe(90 * SECOND_MS);
  expect(heldMs(DAY_MS)).toBe(DAY_MS);
  expect(heldMs(DAY_MS + 1)).toBe(DAY_MS);
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
