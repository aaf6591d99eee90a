import { describe, expect, it } from "vitest";
import { createMetrics } from "#platform/metrics/metrics.ts";
import type { Snapshot } from "#platform/metrics/metrics-snapshot.ts";
import { metricsText } from "#platform/metrics/metrics-text.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";

const figure = (text: string, name: string, labels: Record<string, string> = {}) =>
  parseMetrics(text)
    .get(name.replace(/_(bucket|count|sum)$/, ""))
    ?.series.find((entry) => entry.name === name && JSON.stringify(entry.labels) === JSON.stringify(labels))
    ?.value;

describe("metrics", () => {
  it("count by label, whatever a label holds", async () => {
    const metrics = createMetrics();
    const event = 'a"b\\c\nd';
    metrics.count("codeshelf_events_total", { event });
    metrics.count("codeshelf_events_total", { event }, 2);
    expect(figure(await metrics.text(), "codeshelf_events_total", { event })).toBe(3);
  });

  it("put durations into cumulative buckets", async () => {
    const metrics = createMetrics();
    for (const seconds of [0.004, 0.02, 99])
      metrics.observe("codeshelf_http_request_seconds", seconds, { route: "/" });
    const text = await metrics.text();
    const below = (le: string) => figure(text, "codeshelf_http_request_seconds_bucket", { route: "/", le });
    expect([below("0.005"), below("10"), below("+Inf")]).toEqual([1, 2, 3]);
    expect(figure(text, "codeshelf_http_request_seconds_count", { route: "/" })).toBe(3);
  });

  it("read a gauge at the moment they are asked", async () => {
    const metrics = createMetrics();
    let waiting = 1;
    metrics.gauge("codeshelf_db_checkouts_waiting", {}, () => waiting);
    waiting = 7;
    expect(figure(await metrics.text(), "codeshelf_db_checkouts_waiting")).toBe(7);
  });

  it("do not count an invalid duration, and omit what was never counted", async () => {
    const metrics = createMetrics();
    metrics.observe("codeshelf_job_run_seconds", Number.NaN, { job: "trash_check" });
    expect([...parseMetrics(await metrics.text()).keys()].sort()).toEqual([
      "nodejs_heap_used_bytes",
      "process_resident_memory_bytes",
      "process_uptime_seconds",
    ]);
  });

  it("come back from a snapshot as they were", async () => {
    const metrics = createMetrics();
    for (const [seconds, status] of [
      [0.02, "failed"],
      [0.02, "failed"],
      [7, "failed"],
      [2_000, "completed"],
    ] as const)
      metrics.observe("codeshelf_job_run_seconds", seconds, { job: "trash_check", status });
    const { histograms } = await metrics.snapshot();
    expect(histograms.map(({ labels, counts, sum, count }) => [labels.status, counts, sum, count])).toEqual([
      ["failed", [0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], 7.04, 3],
      ["completed", Array(12).fill(0), 2_000, 1],
    ]);
  });
});

describe("the metrics of several processes", () => {
  const counting = (times: number) => {
    const metrics = createMetrics();
    metrics.count("codeshelf_events_total", { event: "job_started" }, times);
    metrics.observe("codeshelf_job_run_seconds", 2, { job: "trash_check", status: "completed" });
    return metrics.snapshot();
  };

  it("stand side by side under one name, told apart by a label", async () => {
    const text = await metricsText([
      { snapshot: await counting(1) },
      { snapshot: await counting(2), labels: { worker: "w1" } },
      { snapshot: await counting(3), labels: { worker: "w2" } },
    ]);
    expect(figure(text, "codeshelf_events_total", { event: "job_started" })).toBe(1);
    expect(figure(text, "codeshelf_events_total", { event: "job_started", worker: "w2" })).toBe(3);
    expect(text.match(/# TYPE codeshelf_job_run_seconds /g)).toHaveLength(1);
  });

  it("omit the metrics of a process of another version", async () => {
    const other = {
      values: [{ name: "codeshelf_unheard_of_total", labels: {}, value: 1 }],
      histograms: [{ name: "codeshelf_job_run_seconds", labels: {}, counts: [1], sum: 1, count: 1 }],
    } as unknown as Snapshot;
    expect((await metricsText([{ snapshot: other }])).trim()).toBe("");
  });
});
