import { describe, expect, it } from "vitest";
import { archiveNames, safeName } from "#domain/files/archive.ts";
import { buildCalendar, calendarStart, toDay } from "#domain/reminders/calendar.ts";
import { itemAt } from "#domain/required.ts";

// A Saturday.
const NOW = new Date("2026-11-14T12:00:00.000Z");

describe("the calendar", () => {
  it("begins on a Sunday and ends today", () => {
    const weeks = buildCalendar(new Map(), NOW, 2);
    expect(toDay(calendarStart(NOW, 2))).toBe("2026-11-01");
    expect(weeks.map((week) => week.map(({ day }) => day.slice(8)))).toEqual([
      ["01", "02", "03", "04", "05", "06", "07"],
      ["08", "09", "10", "11", "12", "13", "14"],
    ]);
  });

  it("shows 26 weeks", () => {
    expect(toDay(calendarStart(NOW))).toBe("2026-05-17");
    expect(buildCalendar(new Map(), NOW)).toHaveLength(26);
  });

  it("has no day to come", () => {
    const sunday = new Date("2026-11-15T00:00:00.000Z");
    expect(buildCalendar(new Map(), sunday, 2).map((week) => week.length)).toEqual([7, 1]);
  });

  it("gives the busiest day the highest level, however little was done on it", () => {
    const week = itemAt(buildCalendar(new Map([["2026-11-08", 1]]), NOW, 1), 0);
    expect(week.slice(0, 2).map(({ level }) => level)).toEqual([4, 0]);
  });

  it("tells busy days from quiet ones, and any work from none", () => {
    const counts = new Map([
      ["2026-11-08", 100],
      ["2026-11-09", 1],
      ["2026-11-10", 50],
    ]);
    const week = itemAt(buildCalendar(counts, NOW, 1), 0);
    expect(week.slice(0, 4).map(({ count, level }) => [count, level])).toEqual([
      [100, 4],
      [1, 1],
      [50, 2],
      [0, 0],
    ]);
  });
});

describe("names in an archive", () => {
  it.each([
    ["a.py", "a.py"],
    ["what?.txt", "what_.txt"],
    ["nul", "_nul"],
    ["COM1.log", "_COM1.log"],
    ["console.log", "console.log"],
    [".git", "_.git"],
    ["GIT~1", "_GIT~1"],
    [".gitignore", ".gitignore"],
    ["ends. ", "ends__"],
    ["a\u202Egpj.exe", "agpj.exe"],
    [".\u200b.", "__"],
    ["\u2066\u2069", "_"],
    ["שלום.md", "שלום.md"],
  ])("of %j is %j", (name, safe) => expect(safeName(name)).toBe(safe));

  it("are each used once, whatever their case, composition or invisible characters", () => {
    const names = archiveNames(["a", "\u200ba", "A", "a (2)", "é", "e\u0301", "Manifest.json"]);
    expect(names).toEqual(["a", "a (2)", "A (3)", "a (2) (2)", "é", "e\u0301 (2)", "Manifest (2).json"]);
  });
});
