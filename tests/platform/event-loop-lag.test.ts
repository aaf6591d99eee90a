import { setImmediate as tick } from "node:timers/promises";
import { expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { measureEventLoop } from "#platform/metrics/event-loop-lag.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";

const HELD_MS = 300;

it("tells how long the event loop was held, at most and in 99 of 100 cases", async () => {
  const metrics = createMetrics();
  const lag = measureEventLoop(metrics);
  const read = async (figure: "max" | "p99") =>
    itemAt(
      required(parseMetrics(await metrics.text()).get(`nodejs_eventloop_lag_${figure}_seconds`)).series,
      0,
    ).value;
  await expect.poll(() => read("max"), { timeout: 25_000 }).toBeGreaterThan(0);
  const end = performance.now() + HELD_MS;
  while (performance.now() < end) Math.random();
  await tick();
  await expect.poll(() => read("max"), { timeout: 25_000 }).toBeGreaterThan((0.9 * HELD_MS) / 1000);
  expect(await read("p99")).toBeLessThanOrEqual(await read("max"));
  lag.close();
});
