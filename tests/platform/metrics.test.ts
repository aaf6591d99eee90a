import { describe, expect, it } from "vitest";
import { createMetrics } from "#platform/metrics.ts";

describe("metrics", () => {
  it("count by label in Prometheus' text format", () => {
    const metrics = createMetrics();
    metrics.count("events_total", { event: 'a"b' });
    metrics.count("events_total", { event: 'a"b' }, 2);
    expect(metrics.text()).toContain('# TYPE events_total counter\nevents_total{event="a\\"b"} 3');
  });

  it("put durations into cumulative buckets", () => {
    const metrics = createMetrics();
    for (const seconds of [0.004, 0.02, 99]) metrics.observe("request_seconds", seconds, { route: "/" });
    const lines = metrics.text().split("\n");
    expect(lines).toContain('request_seconds_bucket{route="/",le="0.005"} 1');
    expect(lines).toContain('request_seconds_bucket{route="/",le="10"} 2');
    expect(lines).toContain('request_seconds_bucket{route="/",le="+Inf"} 3');
    expect(lines).toContain('request_seconds_count{route="/"} 3');
  });
});
