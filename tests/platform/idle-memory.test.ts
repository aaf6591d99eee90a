import { expect, it, onTestFinished } from "vitest";
import { collectGarbageWhenIdle, shouldCollect } from "#platform/processes/idle-memory.ts";

const MB = 1024 * 1024;

it.each([
  [
    "idle, with much more than was left",
    { utilization: 0.01, heapBytes: 120 * MB, leftBytes: 60 * MB },
    true,
  ],
  ["idle for the first time", { utilization: 0.01, heapBytes: 60 * MB, leftBytes: 0 }, true],
  [
    "idle, with little more than was left",
    { utilization: 0.01, heapBytes: 80 * MB, leftBytes: 60 * MB },
    false,
  ],
  ["at work", { utilization: 0.05, heapBytes: 200 * MB, leftBytes: 60 * MB }, false],
])("a process that is %s", (_, look, expected) => {
  expect(shouldCollect(look)).toBe(expected);
});

it("freed memory is returned to the system", async () => {
  const measureHeap = () => process.memoryUsage().heapTotal;
  let thrownAway: unknown[] | null = Array.from({ length: 500_000 }, (_, i) => ({ i, text: `text ${i}` }));
  const before = measureHeap();
  thrownAway = null;
  const watch = collectGarbageWhenIdle(500);
  onTestFinished(() => watch.close());
  await expect.poll(measureHeap, { timeout: 25_000, interval: 250 }).toBeLessThan(before - 20 * MB);
  expect(thrownAway).toBeNull();
});
