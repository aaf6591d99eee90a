import { describe, expect, it } from "vitest";
import { isRefusal } from "#domain/refusal.ts";
import { checkReminderTime } from "#domain/reminders/reminder-schema.ts";
import {
  chooseZone,
  daysAhead,
  isTimeZone,
  presetMoment,
  REMINDER_PRESETS,
} from "#domain/reminders/reminder-time.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { PRESET_MOMENTS } from "./zone-vectors.ts";

const toMinute = (moment: Date | null) => moment?.toISOString().replace(":00.000Z", "Z");
const NOW = new Date("2026-11-14T12:00:00.000Z");

it("a preset time on a day that a zone skipped is the same time of the next day", () => {
  expect(toMinute(presetMoment("tomorrow-09", "Pacific/Apia", new Date("2011-12-30T00:00Z")))).toBe(
    "2011-12-30T19:00Z",
  );
});

describe("a duration as a preset", () => {
  it.each([
    ["1h", 1],
    ["3h", 3],
    ["24h", 24],
    ["1w", 168],
  ] as const)("%s is exactly %i hours, across every change of clocks too", (preset, hours) => {
    for (const { zone, now } of PRESET_MOMENTS)
      expect(presetMoment(preset, zone, now).getTime() - now.getTime()).toBe(hours * HOUR_MS);
  });

  it("keeps the milliseconds of now", () => {
    const now = new Date("2026-11-14T12:00:00.123Z");
    expect(presetMoment("1h", "UTC", now).toISOString()).toBe("2026-11-14T13:00:00.123Z");
  });
});

describe("what was asked for", () => {
  const readRefusal = (input: object, own: string | null = null) => {
    const moment = checkReminderTime(input, own, NOW);
    return isRefusal(moment) ? moment.refused : moment.toISOString();
  };

  it.each([
    ["nothing", {}],
    ["both", { preset: "1h", at: "2026-12-01T09:00" }],
    ["a time with seconds", { at: "2026-12-01T09:00:00" }],
    ["a time with an offset", { at: "2026-12-01T09:00Z" }],
    ["a time without its letter", { at: "2026-12-01 09:00" }],
    ["a date alone", { at: "2026-12-01" }],
    ["a day that is not in the calendar", { at: "2026-02-30T09:00" }],
    ["an hour that is not on the clock", { at: "2026-12-01T24:00" }],
    ["no text", { at: 5 }],
    ["an empty text", { at: "" }],
  ])("is no time: %s", (_, input) => {
    expect(readRefusal(input)).toBe("invalid_time");
  });

  it("is an unknown preset, told with those that are known", () => {
    for (const preset of ["2h", "", 5, true, ["1h"], "__proto__"])
      expect(checkReminderTime({ preset }, null, NOW)).toMatchObject({
        refused: "invalid_preset",
        context: { allowed: REMINDER_PRESETS },
      });
  });

  it.each(["Mars/Base", "", "+02:00", "02:00", 5, true, {}, "Asia/Jerusalem\n", "a".repeat(5000)])(
    "is in no time zone: %j",
    (tz) => {
      expect(readRefusal({ preset: "1h", tz })).toBe("invalid_timezone");
    },
  );

  it("is not in the future", () => {
    expect(readRefusal({ at: "2026-11-14T11:59" })).toBe("time_not_in_future");
    expect(readRefusal({ at: "2026-11-14T12:00" })).toBe("time_not_in_future");
    expect(readRefusal({ at: "0001-01-01T00:00" })).toBe("time_not_in_future");
    expect(readRefusal({ at: "2026-11-14T12:01" })).toBe("2026-11-14T12:01:00.000Z");
    expect(readRefusal({ at: "9999-12-31T23:59" })).toBe("9999-12-31T23:59:00.000Z");
  });

  it("is read in the zone that was sent, else in the person's own, else in UTC", () => {
    const localTime = "2026-12-01T09:00";
    expect(readRefusal({ at: localTime, tz: "Asia/Jerusalem" }, "America/New_York")).toBe(
      "2026-12-01T07:00:00.000Z",
    );
    expect(readRefusal({ at: localTime }, "America/New_York")).toBe("2026-12-01T14:00:00.000Z");
    expect(readRefusal({ at: localTime, tz: null }, null)).toBe("2026-12-01T09:00:00.000Z");
    expect(readRefusal({ at: localTime, preset: null }, "Not/Azone")).toBe("2026-12-01T09:00:00.000Z");
  });
});

describe("a time zone", () => {
  it("is one of the time-zone database, in any case of letters", () => {
    for (const zone of ["Asia/Jerusalem", "asia/jerusalem", "UTC", "Etc/GMT+5", "America/Argentina/Ushuaia"])
      expect(isTimeZone(zone), zone).toBe(true);
    expect(chooseZone("Europe/Berlin")).toBe("Europe/Berlin");
    expect(chooseZone("Europe/Nowhere")).toBe("UTC");
    expect(chooseZone(null)).toBe("UTC");
  });

  it("tells how many of its days away a moment is", () => {
    const moment = new Date("2026-11-14T22:30:00.000Z");
    expect(daysAhead(moment, "Asia/Jerusalem", NOW)).toBe(1);
    expect(daysAhead(moment, "UTC", NOW)).toBe(0);
    expect(daysAhead(NOW, "UTC", new Date("2026-12-14T12:00:00Z"))).toBe(-30);
  });
});
