import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { isMetricName, METRICS, type MetricName } from "#platform/metrics/metric-names.ts";
import type { HistogramSample, Labels, Snapshot } from "#platform/metrics/metrics-snapshot.ts";
import { metricsText } from "#platform/metrics/metrics-text.ts";

/** Counters, gauges and duration histograms of one process, kept by prom-client. Another process may report them. */
export type Metrics = {
  count(name: MetricName, labels?: Labels, by?: number): void;
  /** Reports a figure as zero, before its first use. Prometheus does not see as added what a figure had when it was first reported. */
  startAtZero(name: MetricName, labels?: Labels): void;
  /** A duration that is no number is not counted, so that measuring never fails. */
  observe(name: MetricName, seconds: number, labels?: Labels): void;
  /** A figure that is read at the moment somebody asks. */
  gauge(name: MetricName, labels: Labels, read: () => number): void;
  snapshot(): Promise<Snapshot>;
  text(): Promise<string>;
};

/** A figure is reported from its first use on. One that this process never used is absent, which is not the same as zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = once((name) => new Counter({ ...getHelp(name), registers }));
  const histogram = once(
    (name) => new Histogram({ ...getHelp(name), buckets: [...getBounds(name)], registers }),
  );
  const gauge = once((name) => {
    const readers: { labels: Labels; read: () => number }[] = [];
    const collect = () => readers.forEach(({ labels, read }) => void kept.set(labels, read()));
    const kept = new Gauge({ ...getHelp(name), registers, collect });
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

function once<T>(make: (name: MetricName) => T): (name: MetricName) => T {
  const made = new Map<MetricName, T>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
}

type Listed = { metricName?: string; labels: Record<string, string>; value: number };

async function takeSnapshot(registry: Registry): Promise<Snapshot> {
  const snapshot: Snapshot = { values: [], histograms: [] };
  for (const { name, values } of await registry.getMetricsAsJSON()) {
    // Its types leave out the names of the values of a histogram, which it writes.
    const listed = (values ?? []) as unknown as Listed[];
    if (!isMetricName(name)) continue;
    if (METRICS[name].type === "histogram") snapshot.histograms.push(...histogramsIn(name, listed));
    else for (const { labels, value } of listed) snapshot.values.push({ name, labels, value });
  }
  return snapshot;
}

/** prom-client lists a histogram as its rising buckets, the one without bound, the sum and the count, series after series. */
function* histogramsIn(name: MetricName, listed: Listed[]): Generator<HistogramSample> {
  const bounds = getBounds(name).length;
  const width = bounds + 3;
  for (let at = 0; at < listed.length; at += width) {
    const rising = listed.slice(at, at + bounds).map(({ value }) => value);
    const [sum, count] = listed.slice(at + bounds + 1, at + width);
    if (!sum || !count)
      throw new Error(`The histogram ${name} has no sum and count where they are looked for`);
    yield {
      name,
      labels: sum.labels,
      counts: rising.map((value, i) => value - (rising[i - 1] ?? 0)),
      sum: sum.value,
      count: count.value,
    };
  }
}
