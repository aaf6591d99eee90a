import { describe, expect, it } from "vitest";
import {
  addDuration,
  addDurations,
  averageMs,
  BOUNDS_MS,
  chooseBucket,
  noDurations,
  percentileMs,
} from "#domain/events/duration-histogram.ts";
import {
  floorTo,
  listSteps,
  parseGranularity,
  parseWindow,
  splitWindow,
} from "#domain/events/time-window.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";

const NOW = new Date("2026-11-14T12:00:00.000Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const windowMs = (ms: number) => ({ start: ago(ms), end: NOW });
const toDate = (time: string) => new Date(`2026-11-14T${time}:00.000Z`);

describe("the window of a query", () => {
  it.each([
    [{}, HOUR_MS],
    [{ timerange: "30m" }, 30 * MINUTE_MS],
    [{ timerange: "24h" }, DAY_MS],
    [{ timerange: "31d" }, 31 * DAY_MS],
  ])("%j is the time before now, with this moment in it", (query, ms) => {
    const end = new Date(NOW.getTime() + 1);
    expect(parseWindow(query, NOW, HOUR_MS)).toEqual({ start: ago(ms), end });
  });

  it("goes from one moment to another, or to now", () => {
    const start_time = "2026-11-14T09:00:00Z";
    const start = toDate("09:00");
    expect(parseWindow({ start_time }, NOW, HOUR_MS)).toEqual({ start, end: NOW });
    const end_time = "2026-11-14T10:00:00Z";
    expect(parseWindow({ start_time, end_time }, NOW, HOUR_MS)).toEqual({ start, end: toDate("10:00") });
  });

  it("has at most 31 days", () => {
    const end_time = "2026-11-14T10:00:00Z";
    expect(parseWindow({ start_time: "2026-10-14T10:00:00Z", end_time }, NOW, HOUR_MS)).toHaveProperty(
      "start",
    );
    expect(parseWindow({ start_time: "2026-10-14T09:59:59Z", end_time }, NOW, HOUR_MS)).toMatchObject({
      refused: "invalid_query",
      context: { field: "start_time" },
    });
  });

  it.each([
    [{ timerange: "32d" }, "timerange"],
    [{ timerange: "0h" }, "timerange"],
    [{ timerange: "30" }, "timerange"],
    [{ timerange: "30s" }, "timerange"],
    [{ timerange: "soon" }, "timerange"],
    [{ timerange: "1h", end_time: "2026-11-14T09:00:00Z" }, "timerange"],
    [{ end_time: "2026-11-14T09:00:00Z" }, "start_time"],
    [{ start_time: "yesterday" }, "start_time"],
    [{ start_time: "2026-11-14T09:00:00Z", end_time: "later" }, "end_time"],
    [{ start_time: "2026-11-14T09:00:00Z", end_time: "2026-11-14T09:00:00Z" }, "end_time"],
    [{ start_time: "2026-11-14T12:00:01Z" }, "end_time"],
  ])("%j is refused for its %s", (query, field) => {
    expect(parseWindow(query, NOW, HOUR_MS)).toMatchObject({ refused: "invalid_query", context: { field } });
  });
});

describe("the time between two points", () => {
  it.each([
    [undefined, HOUR_MS, 60],
    [undefined, 200 * MINUTE_MS, 60],
    [undefined, 201 * MINUTE_MS, 300],
    [undefined, DAY_MS, 900],
    [undefined, 7 * DAY_MS, 3_600],
    [undefined, 31 * DAY_MS, 21_600],
    ["60", HOUR_MS, 60],
    ["5m", HOUR_MS, 300],
    ["1h", 31 * DAY_MS, 3_600],
    ["1d", 31 * DAY_MS, 86_400],
    ["5m", 7 * DAY_MS + HOUR_MS, 300],
    ["1m", 2_100 * MINUTE_MS, 60],
  ])("of %j in %i ms is %i seconds", (text, ms, seconds) => {
    expect(parseGranularity(text, windowMs(ms))).toBe(seconds);
  });

  it.each([
    ["less than a minute", "59", HOUR_MS],
    ["no whole minutes", "90", HOUR_MS],
    ["no number", "x", HOUR_MS],
    ["nothing", "0", HOUR_MS],
    ["minutes in more than a week", "5m", 7 * DAY_MS + HOUR_MS + 1],
    ["more points than an answer has", "1m", 2_101 * MINUTE_MS],
  ])("is refused where it is %s", (_, text, ms) => {
    expect(parseGranularity(text, windowMs(ms))).toMatchObject({
      refused: "invalid_query",
      context: { field: "granularity" },
    });
  });

  it("divides a window into steps that begin at whole ones", () => {
    const window = { start: toDate("09:07"), end: toDate("09:20") };
    expect(listSteps(window, 300)).toEqual([toDate("09:05"), toDate("09:10"), toDate("09:15")]);
    expect(floorTo(toDate("09:07"), HOUR_MS)).toEqual(toDate("09:00"));
  });
});

describe("a window in hours and minutes", () => {
  it.each([
    ["has minutes at both ends", "09:10", "12:20", ["10:00", "12:00"], ["09:10", "10:00", "12:00", "12:20"]],
    ["has hours alone where it begins and ends with one", "09:00", "11:00", ["09:00", "11:00"], []],
    ["has minutes at its end alone", "09:00", "11:01", ["09:00", "11:00"], ["11:00", "11:01"]],
    ["has minutes alone within an hour", "09:10", "09:50", ["10:00", "10:00"], ["09:10", "09:50"]],
    ["has minutes alone about an hour", "09:50", "10:10", ["10:00", "10:00"], ["09:50", "10:10"]],
  ])("%s", (_, from, to, [first = "", last = ""], edges) => {
    const { hours, minutes } = splitWindow({ start: toDate(from), end: toDate(to) });
    expect(hours).toEqual({ start: toDate(first), end: toDate(last) });
    expect(minutes.flatMap(({ start, end }) => [start, end])).toEqual(edges.map(toDate));
  });

  it("takes the minutes of its start and of its end whole", () => {
    const window = { start: new Date("2026-11-14T09:10:30.000Z"), end: new Date("2026-11-14T09:20:00.001Z") };
    expect(splitWindow(window).minutes).toEqual([{ start: toDate("09:10"), end: toDate("09:21") }]);
  });
});

it.each(BOUNDS_MS.map((bound, place) => [bound, place]))(
  "a duration up to %d ms is counted in bucket %d",
  (bound, place) => {
    expect(chooseBucket(bound)).toBe(String(place));
    expect(chooseBucket(bound + 0.1)).toBe(String(place + 1));
  },
);

describe("durations", () => {
  it("tell shares, the average and the longest, and add up", () => {
    const [some, more] = [noDurations(), noDurations()];
    for (const ms of [4, 4, 4]) addDuration(some, ms, false);
    addDuration(more, 40, true);
    addDurations(some, more);

    expect(some).toEqual({ count: 4, errors: 1, total_ms: 52, max_ms: 40, buckets: { 2: 3, 6: 1 } });
    expect(averageMs(some)).toBe(13);
    expect(percentileMs(some, 0.5)).toBe(4);
    expect(percentileMs(some, 0.75)).toBe(5);
    expect(percentileMs(some, 1)).toBe(40);
  });

  it("of which there are few have the longest as what one in twenty exceeds", () => {
    const durations = noDurations();
    addDuration(durations, 1_334, false);
    expect(percentileMs(durations, 0.95)).toBe(1_334);
    for (let i = 0; i < 19; i += 1) addDuration(durations, 4, false);
    expect(percentileMs(durations, 0.95)).toBe(5);
  });

  it("of which there are none tell nothing", () => {
    expect(percentileMs(noDurations(), 0.5)).toBeNull();
    expect(averageMs(noDurations())).toBeNull();
  });
});
