import { describe, expect, it } from "vitest";
import { createMomentSchema } from "#domain/time/moment-schema.ts";
import { parseTimestamp, toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

describe("a timestamp", () => {
  it.each([
    ["2026-11-14T09:00:00.000+00:00", "2026-11-14T09:00:00.000Z"],
    ["2026-11-14T09:00:00Z", "2026-11-14T09:00:00.000Z"],
    ["2026-11-14T11:00:00.123+02:00", "2026-11-14T09:00:00.123Z"],
    ["2026-11-14T11:00:00.123999+0200", "2026-11-14T09:00:00.123Z"],
    ["2026-11-13T23:30:00-09:30", "2026-11-14T09:00:00.000Z"],
    ["2026-11-14T09:00", "2026-11-14T09:00:00.000Z"],
    ["2026-11-14T09:00:00.5", "2026-11-14T09:00:00.500Z"],
    ["2026-11-14", "2026-11-14T00:00:00.000Z"],
  ])("is read from %s", (text, moment) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(moment);
  });

  it.each([
    ...["", "tomorrow", "14/11/2026", "1763110800", " 2026-11-14T09:00:00Z", "2026-11-14T09:00:00Z\n"],
    ...["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-14T25:00:00Z", "2026-11-14T09:60:00Z"],
    ...["2026-11-14T09:00:00+24:00", "2026-11-14T09:00:00+02:60", 1763110800, null, {}],
  ])("is not %j", (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it("is written with an offset, and no moment as null", () => {
    const moment = new Date("2026-11-14T09:08:07.006Z");
    expect(toTimestamp(moment)).toBe("2026-11-14T09:08:07.006+00:00");
    expect(parseTimestamp(toTimestamp(moment))).toEqual(moment);
    expect([moment, null, undefined].map(toTimestampOrNull)).toEqual([toTimestamp(moment), null, null]);
  });

  it("is a date in a schema, whose error is told of anything else", () => {
    const schema = createMomentSchema("is not a moment");
    expect(schema.parse("2026-11-14T23:59:00+23:59")).toEqual(new Date("2026-11-14T00:00:00.000Z"));
    for (const input of ["tomorrow", "2026-11-14T09:00", "2026-11-14", 7])
      expect(schema.safeParse(input).error?.issues).toMatchObject([{ message: "is not a moment" }]);
  });
});
