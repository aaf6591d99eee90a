import { describe, expect, it } from "vitest";
import { parseLocalTime, presetMoment, TIME_ZONES } from "#domain/reminders/reminder-time.ts";
import { itemAt, required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ALIKE, PRESET_MOMENTS, TZDATA } from "./zone-vectors.ts";

const NAMED = ALIKE.flatMap(({ zones }) => zones);
const toWallTime = (minutes: number) => new Date(minutes * MINUTE_MS).toISOString().slice(0, 16);
const toMinutes = (moment: Date | null) => (moment ? moment.getTime() / MINUTE_MS : null);

/**
 * Local times around a change, in minutes, and their moments: before the change by the old offset, after it by the new one; times in a
 * gap move forward by the gap, and of two equal times the earlier counts, which both use the old offset.
 */
function aboutChange([at, before, after]: readonly number[]): [local: number, moment: number][] {
  const [low, high] = [
    required(at) + Math.min(required(before), required(after)),
    required(at) + Math.max(required(before), required(after)),
  ];
  const middle = Math.floor((low + high) / 2);
  const old = [low - 1, low, middle, high - 1].map(
    (local) => [local, local - required(before)] as [number, number],
  );
  return [...old, [high, high - required(after)]];
}

function differing(zone: string, changes: readonly (readonly number[])[]): string[] {
  return changes.flatMap(aboutChange).flatMap(([local, moment]) => {
    const ours = toMinutes(parseLocalTime(toWallTime(local), zone));
    return ours === moment ? [] : [`${zone} ${toWallTime(local)}: ${ours}, not ${moment}`];
  });
}

/** A newer time zone database than the vectors' may have newer decisions of governments. */
const sameDatabase = process.versions.tz === TZDATA;
const RENAMED_MAX = 8;

function expectAlike(wrong: string[]): void {
  if (sameDatabase) expect(wrong).toEqual([]);
  else
    expect(new Set(wrong.map((line) => line.split(" ")[0])).size, wrong.join("\n")).toBeLessThan(RENAMED_MAX);
}

describe("a local time", () => {
  it("is known in every zone that is offered, and in an independent database", () => {
    expect(TIME_ZONES.filter((zone) => zone !== "UTC" && !NAMED.includes(zone))).toEqual([]);
    expect(NAMED.length).toBeGreaterThan(400);
  });

  it("is what an independent clock says about every change of the clocks from 2020 to 2030", () => {
    expectAlike(
      drawCases("zones", ALIKE, 25).flatMap(({ zones, changes }) => differing(itemAt(zones, 0), changes)),
    );
  });

  itInFullRun(
    "is the same in zones that change alike: at their first and last change, or where there is none, on any day",
    () => {
      const wrong = ALIKE.flatMap(({ zones, changes, offset }) => {
        const [first, last] = [changes.at(0), changes.at(-1)];
        if (first && last) return zones.slice(1).flatMap((zone) => differing(zone, [first, last]));
        const noon = Date.UTC(2025, 6, 1, 12) / MINUTE_MS;
        return zones
          .filter((zone) => toMinutes(parseLocalTime(toWallTime(noon + offset), zone)) !== noon)
          .map((zone) => `${zone} is not at ${offset}`);
      });
      expectAlike(wrong);
    },
  );
});

it("a preset time equals that of an independent clock, around midnight, the ends of months and years and each clock change", () => {
  const rows = PRESET_MOMENTS.map(({ zone, now, evening, morning }) => [zone, now, evening, morning]);
  expect(new Set(PRESET_MOMENTS.map(({ zone }) => zone)).size).toBeGreaterThanOrEqual(12);
  const ours = PRESET_MOMENTS.map(({ zone, now }) => {
    const presets = ["today-21", "tomorrow-09"] as const;
    return [zone, now, ...presets.map((preset) => presetMoment(preset, zone, now))];
  });
  expect(ours).toEqual(rows);
});
