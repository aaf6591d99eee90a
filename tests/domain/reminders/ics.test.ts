import { describe, expect, it } from "vitest";
import { escapeIcsText, foldLine, toIcsCalendar } from "#domain/reminders/ics.ts";
import { type FeedItem, toExcerpt } from "#domain/reminders/reminder-feed.ts";

const MADE = new Date("2026-11-14T12:00:00.000Z");
const FEED = {
  id: "f1",
  title: "Reminders",
  url: "https://shelf.example/feeds/x/reminders.ics",
  made_at: MADE,
};
const ITEM: FeedItem = {
  note_id: "5f0000000000000000000001",
  title: "call the bank",
  text: "call the bank",
  url: "https://shelf.example/note/5f0000000000000000000001",
  remind_at: new Date("2026-11-15T07:30:00.250Z"),
  status: "pending",
  changed_at: MADE,
};
const octets = (text: string) => Buffer.byteLength(text);

/** Reads a calendar as the standard says: unfold, split at the first colon outside quotes, unescape. */
function read(calendar: string): [name: string, value: string][] {
  return calendar
    .replace(/\r\n[ \t]/g, "")
    .split("\r\n")
    .filter(Boolean)
    .map((line) => {
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).replace(/\\([\\;,nN])/g, (_, c) => (/n/i.test(c) ? "\n" : c));
      return [line.slice(0, colon), value];
    });
}
const valueIn = (calendar: string, name: string) => read(calendar).find(([known]) => known === name)?.[1];

describe("a calendar of reminders", () => {
  it("has an event at the moment, in UTC, with an alarm at its start", () => {
    expect(read(toIcsCalendar(FEED, [ITEM])).map((pair) => pair.join(":"))).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Codeshelf//Reminders//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "NAME:Reminders",
      "X-WR-CALNAME:Reminders",
      "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
      "X-PUBLISHED-TTL:PT15M",
      "BEGIN:VEVENT",
      "UID:reminder-5f0000000000000000000001@codeshelf",
      "DTSTAMP:20261114T120000Z",
      "LAST-MODIFIED:20261114T120000Z",
      "SEQUENCE:216820800",
      "DTSTART:20261115T073000Z",
      "SUMMARY:call the bank",
      "DESCRIPTION:call the bank",
      "URL:https://shelf.example/note/5f0000000000000000000001",
      "STATUS:CONFIRMED",
      "TRANSP:TRANSPARENT",
      "CLASS:PRIVATE",
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "DESCRIPTION:call the bank",
      "TRIGGER:PT0S",
      "END:VALARM",
      "END:VEVENT",
      "END:VCALENDAR",
    ]);
  });

  it("keeps an acknowledged one in its place, marked as done and without an alarm", () => {
    const calendar = toIcsCalendar(FEED, [{ ...ITEM, status: "acknowledged" }]);
    expect(valueIn(calendar, "SUMMARY")).toBe("✓ call the bank");
    expect(valueIn(calendar, "UID")).toBe(valueIn(toIcsCalendar(FEED, [ITEM]), "UID"));
    expect(calendar).not.toContain("VALARM");
  });

  it("tells a later change by a higher sequence under the same UID", () => {
    const moved = { ...ITEM, remind_at: new Date(9e12), changed_at: new Date(MADE.getTime() + 1000) };
    const [before, after] = [toIcsCalendar(FEED, [ITEM]), toIcsCalendar(FEED, [moved])];
    expect(Number(valueIn(after, "SEQUENCE"))).toBe(Number(valueIn(before, "SEQUENCE")) + 1);
    expect(valueIn(after, "UID")).toBe(valueIn(before, "UID"));
  });

  it.each([
    ["separators", "a;b,c\\d:e"],
    ["lines", "one\ntwo\n\nthree"],
    ["Hebrew", "להתקשר לבנק, ואחר כך; לקנות חלב ".repeat(20)],
    ["emoji with their joiners", "👩‍👩‍👧‍👦🇮🇱".repeat(40)],
    ["what looks like another property", "x\nEND:VEVENT\nBEGIN:VEVENT"],
    ["what looks escaped", "\\n\\,\\\\"],
  ])("gives %s back as they were, in lines of at most 75 octets", (_, text) => {
    const calendar = toIcsCalendar(FEED, [{ ...ITEM, title: text, text }]);
    expect(valueIn(calendar, "SUMMARY")).toBe(text);
    for (const line of calendar.split("\r\n")) expect(octets(line)).toBeLessThanOrEqual(75);
    expect(calendar.split("\r\n").filter((line) => line === "END:VEVENT")).toHaveLength(1);
    expect(Buffer.from(calendar).toString()).toBe(calendar);
  });

  it("has no line ends but its own, and no control characters", () => {
    expect(escapeIcsText("a\r\nb\rc\u2028d\u0000\u0007\u001be\tf\ud800")).toBe("a\\nb\\nc\\nde\tf\ufffd");
  });

  it("folds at the 75th octet and not before", () => {
    expect(foldLine("x".repeat(75))).toBe("x".repeat(75));
    expect(foldLine("x".repeat(76))).toBe(`${"x".repeat(75)}\r\n x`);
    expect(foldLine(`${"x".repeat(74)}ש`)).toBe(`${"x".repeat(74)}\r\n ש`);
    expect(
      foldLine("x".repeat(75 + 74 + 1))
        .split("\r\n")
        .map(octets),
    ).toEqual([75, 75, 2]);
  });
});

it("an excerpt has at most 500 characters and never half of one", () => {
  expect(toExcerpt("🌱".repeat(500))).toBe("🌱".repeat(500));
  expect(toExcerpt("🌱".repeat(501))).toBe(`${"🌱".repeat(500)}…`);
});
