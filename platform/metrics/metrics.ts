import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { isMetricName, METRICS, type MetricName } from "#platform/metrics/metric-names.ts";
import type { HistogramSample, Labels, Snapshot } from "#platform/metrics/metrics-snapshot.ts";
import { metricsText } from "#platform/metrics/metrics-text.ts";

/** Counters, gauges and duration histograms of one process, kept by prom-client. Another process may report them. */
export type Metrics = {
  count(name: MetricName, labels?: Labels, by?: number): void;
  /** Reports zero before the first use, because Prometheus ignores the first value of a series when it computes an increase. */
  startAtZero(name: MetricName, labels?: Labels): void;
  /** Ignores a duration that is no number, so that measuring never fails. */
  observe(name: MetricName, seconds: number, labels?: Labels): void;
  /** Registers a value that is read at each report. */
  gauge(name: MetricName, labels: Labels, read: () => number): void;
  snapshot(): Promise<Snapshot>;
  text(): Promise<string>;
};

/** A metric is reported from its first use. A metric that this process never used is absent, which is not the same as zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = createOnce((name) => new Counter({ ...getHelp(name), registers }));
  const histogram = createOnce(
    (name) => new Histogram({ ...getHelp(name), buckets: [...getBounds(name)], registers }),
  );
  const gauge = createOnce((name) => {
    const readers: { labels: Labels; read: () => number }[] = [];
    const collect = () => readers.forEach(({ labels, read }) => void metric.set(labels, read()));
    const metric = new Gauge({ ...getHelp(name), registers, collect });
    return readers;
  });
  const metrics: Metrics = {
    count: (name, labels = {}, by = 1) => counter(name).inc(labels, by),
    startAtZero(name, labels = {}) {
      if (METRICS[name].type === "counter") counter(name).inc(labels, 0);
      else histogram(name).zero(labels);
    },
    observe(name, seconds, labels = {}) {
      if (Number.isFinite(seconds)) histogram(name).observe(labels, seconds);
    },
    gauge: (name, labels, read) => void gauge(name).push({ labels, read }),
    snapshot: () => takeSnapshot(registry),
    text: async () => metricsText([{ snapshot: await metrics.snapshot() }]),
  };
  measureProcess(metrics);
  return metrics;
}

function measureProcess({ gauge }: Metrics): void {
  gauge("process_resident_memory_bytes", {}, () => process.memoryUsage.rss());
  gauge("nodejs_heap_used_bytes", {}, () => process.memoryUsage().heapUsed);
  gauge("process_uptime_seconds", {}, () => process.uptime());
}

const getBounds = (name: MetricName) => METRICS[name].bounds ?? [];
const getHelp = (name: MetricName) => ({
  name,
  help: METRICS[name].help,
  labelNames: [...METRICS[name].labels],
});

function createOnce<T>(make: (name: MetricName) => T): (name: MetricName) => T {
  const values = new Map<MetricName, T>();
  return (name) => {
    const value = values.get(name) ?? make(name);
    values.set(name, value);
    return value;
  };
}

type ListedValue = { metricName?: string; labels: Record<string, string>; value: number };

async function takeSnapshot(registry: Registry): Promise<Snapshot> {
  const snapshot: Snapshot = { values: [], histograms: [] };
  for (const { name, values } of await registry.getMetricsAsJSON()) {
    // The library's types lack the names of a histogram's values, which it writes.
    const listedValues = (values ?? []) as unknown as ListedValue[];
    if (!isMetricName(name)) continue;
    if (METRICS[name].type === "histogram") snapshot.histograms.push(...readHistograms(name, listedValues));
    else for (const { labels, value } of listedValues) snapshot.values.push({ name, labels, value });
  }
  return snapshot;
}

/** prom-client lists each series of a histogram as cumulative buckets, the one without bound, the sum and the count. */
function* readHistograms(name: MetricName, values: ListedValue[]): Generator<HistogramSample> {
  const bounds = getBounds(name).length;
  const width = bounds + 3;
  for (let start = 0; start < values.length; start += width) {
    const cumulative = values.slice(start, start + bounds).map(({ value }) => value);
    const [sum, count] = values.slice(start + bounds + 1, start + width);
    if (!sum || !count)
      throw new Error(`The histogram ${name} has no sum and count where they are looked for`);
    yield {
      name,
      labels: sum.labels,
      counts: cumulative.map((value, i) => value - (cumulative[i - 1] ?? 0)),
      sum: sum.value,
      count: count.value,
    };
  }
}
