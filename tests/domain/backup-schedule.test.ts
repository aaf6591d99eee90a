import { describe, expect, it } from "vitest";
import { isBackupDue, isBackupLate, parseBackupName, toBackupName } from "#domain/backups/backup-schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";

const NOON = new Date("2026-11-14T12:00:00.000Z");
const msLater = (ms: number) => new Date(NOON.getTime() + ms);

describe("the schedule of backups", () => {
  it("asks for one where there is none, and half an hour before the time is over", () => {
    expect(isBackupDue(null, DAY_MS, NOON)).toBe(true);
    expect(isBackupDue(NOON, DAY_MS, msLater(DAY_MS - 31 * MINUTE_MS))).toBe(false);
    expect(isBackupDue(NOON, DAY_MS, msLater(DAY_MS - 30 * MINUTE_MS))).toBe(true);
  });

  it("calls one late an hour after two are missing, or after the worker started without any", () => {
    expect(isBackupLate(NOON, NOON, DAY_MS, msLater(2 * DAY_MS + HOUR_MS))).toBe(false);
    expect(isBackupLate(NOON, NOON, DAY_MS, msLater(2 * DAY_MS + HOUR_MS + 1))).toBe(true);
    expect(isBackupLate(null, NOON, DAY_MS, msLater(2 * DAY_MS + HOUR_MS))).toBe(false);
    expect(isBackupLate(null, NOON, DAY_MS, msLater(2 * DAY_MS + HOUR_MS + 1))).toBe(true);
    expect(isBackupLate(msLater(DAY_MS), NOON, DAY_MS, msLater(3 * DAY_MS))).toBe(false);
  });
});

describe("the name of a backup", () => {
  it("says its moment and is read back", () => {
    expect(toBackupName(NOON)).toBe("codeshelf-2026-11-14T12-00-00Z.tar.zst");
    expect(parseBackupName(toBackupName(NOON))).toEqual(NOON);
  });

  it.each([
    "",
    "codeshelf.tar.zst",
    "codeshelf-2026-13-40T99-00-00Z.tar.zst",
    "x-codeshelf-2026-11-14T12-00-00Z.tar.zst",
  ])("is not %j", (name) => {
    expect(parseBackupName(name)).toBe(null);
  });
});
