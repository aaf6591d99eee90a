import { describe, expect, it } from "vitest";
import { writeDuration } from "#app/i18n/duration.ts";
import { formatDistance, formatExactly } from "#app/web/ui/moment.tsx";

const NOW = Date.parse("2026-11-15T12:00:00.000Z");

describe("the distance of a moment", () => {
  it.each([
    ["2026-11-15T12:00:00.000Z", "now", "עכשיו"],
    ["2026-11-15T11:59:00.000Z", "1 minute ago", "לפני דקה"],
    ["2026-11-15T11:01:00.000Z", "59 minutes ago", "לפני 59 דקות"],
    ["2026-11-15T10:00:00.000Z", "2 hours ago", "לפני שעתיים"],
    ["2026-11-14T11:00:00.000Z", "yesterday", "אתמול"],
    ["2026-11-15T11:59:01.000Z", "now", "עכשיו"],
    ["2026-11-15T12:00:30.000Z", "now", "עכשיו"],
    ["2026-10-01T12:00:00.000Z", "Oct 1, 2026", "1 באוק׳ 2026"],
  ])("of %s is %s and %s", (moment, english, hebrew) => {
    expect(formatDistance("en", moment, NOW)).toBe(english);
    expect(formatDistance("he", moment, NOW)).toBe(hebrew);
  });

  it("is in seconds if that makes a difference", () => {
    const moment = "2026-11-15T11:59:15.000Z";
    expect(formatDistance("en", moment, NOW, { inSeconds: true })).toBe("45 seconds ago");
    expect(formatDistance("he", moment, NOW, { inSeconds: true })).toBe("לפני 45 שניות");
    expect(formatDistance("en", "2026-11-15T11:58:15.000Z", NOW, { inSeconds: true })).toBe("1 minute ago");
  });

  it("beyond a month is the date in the reader's time zone", () => {
    expect(formatDistance("en", "2026-10-01T23:30:00.000Z", NOW, { timeZone: "Asia/Jerusalem" })).toBe(
      "Oct 2, 2026",
    );
  });

  it("is exact with 24 hours a day, in either language", () => {
    const moment = "2026-11-15T15:04:05.000Z";
    expect(formatExactly("en", moment, "UTC")).toBe("Nov 15, 2026, 15:04:05 UTC");
    expect(formatExactly("he", moment, "UTC")).toContain("15:04:05");
  });
});

it.each([
  [713, "713 ms"],
  [1_400, "1.4 s"],
  [119_000, "119 s"],
  [727_100, "12 min"],
])("a duration of %d ms is written as %s", (ms, written) => {
  expect(writeDuration("en", ms)).toBe(written);
});
