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

describe("a duration is counted", () => {
  it.each(BOUNDS_MS.map((bound, place) => [bound, place]))("up to %d ms in place %d", (bound, place) => {
    expect(chooseBucket(bound)).toBe(String(place));
    expect(chooseBucket(bound + 0.1)).toBe(String(place + 1));
  });
});

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
    const one = noDurations();
    addDuration(one, 1_334, false);
    expect(percentileMs(one, 0.95)).toBe(1_334);
    for (let i = 0; i < 19; i += 1) addDuration(one, 4, false);
    expect(percentileMs(one, 0.95)).toBe(5);
  });

  it("of which there are none tell nothing", () => {
    expect(percentileMs(noDurations(), 0.5)).toBeNull();
    expect(averageMs(noDurations())).toBeNull();
  });
});
