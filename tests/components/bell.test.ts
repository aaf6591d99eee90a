import { describe, expect, it } from "vitest";
import { CEILING_SECONDS, computeSleepSeconds } from "#app/enhance/bell.ts";

describe("the bell waits", () => {
  it("as long as the server says", () => {
    expect(computeSleepSeconds({ count: 1, nextInSeconds: 300 }, 0)).toBe(300);
    expect(computeSleepSeconds({ count: 0, nextInSeconds: 7 }, 0)).toBe(7);
  });

  it("never longer than half an hour, so that a reminder set elsewhere is found", () => {
    expect(CEILING_SECONDS).toBe(1800);
    expect(computeSleepSeconds({ count: 0, nextInSeconds: null }, 0)).toBe(1800);
    expect(computeSleepSeconds({ count: 0, nextInSeconds: 86_400 }, 0)).toBe(1800);
  });

  it("at least a second, whatever the server says", () => {
    expect(computeSleepSeconds({ count: 0, nextInSeconds: 0 }, 0)).toBe(1);
  });

  it("longer after each failure, up to the same ceiling", () => {
    expect([1, 2, 3, 4, 20].map((failures) => computeSleepSeconds("failed", failures))).toEqual([
      30, 60, 120, 240, 1800,
    ]);
  });

  it("for good after the log-out", () => {
    expect(computeSleepSeconds("stop", 0)).toBeNull();
  });
});
