import { METRICS, type MetricName, type MetricSpec } from "#platform/metric-names.ts";
import { metricsText } from "#platform/metrics-text.ts";

/** Counters, gauges and duration histograms of one process. What one process counted, another may tell: see `snapshot`. */
export type Labels = Readonly<Record<string, string>>;
export type Sample = { name: MetricName; labels: Labels; value: number };
/** Counts by bound, not cumulative; what is beyond the last bound is in `count` alone. */
export type HistogramSample = {
  name: MetricName;
  labels: Labels;
  counts: number[];
  sum: number;
  count: number;
};
export type Snapshot = { values: Sample[]; histograms: HistogramSample[] };

export type Metrics = {
  count(name: MetricName, labels?: Labels, by?: number): void;
  observe(name: MetricName, seconds: number, labels?: Labels): void;
  /** A figure that is read at the moment somebody asks. */
  gauge(name: MetricName, labels: Labels, read: () => number): void;
  snapshot(): Snapshot;
  text(): string;
};

type Gauge = Omit<Sample, "value"> & { read: () => number };

export function createMetrics(): Metrics {
  const counters = new Map<string, Sample>();
  const histograms = new Map<string, HistogramSample>();
  const gauges = new Map<string, Gauge>();
  const snapshot = (): Snapshot => ({
    values: [...counters.values(), ...[...gauges.values()].map(readGauge), ...processValues()],
    histograms: [...histograms.values()],
  });
  return {
    count(name, labels = {}, by = 1) {
      const key = seriesKey(name, labels);
      const counter = counters.get(key) ?? { name, labels, value: 0 };
      counters.set(key, counter);
      counter.value += by;
    },
    observe(name, seconds, labels = {}) {
      const key = seriesKey(name, labels);
      const bounds = boundsOf(name);
      const histogram = histograms.get(key) ?? {
        name,
        labels,
        counts: bounds.map(() => 0),
        sum: 0,
        count: 0,
      };
      histograms.set(key, histogram);
      const place = bounds.findIndex((bound) => seconds <= bound);
      if (place >= 0) histogram.counts[place] += 1;
      histogram.sum += seconds;
      histogram.count += 1;
    },
    gauge: (name, labels, read) => void gauges.set(seriesKey(name, labels), { name, labels, read }),
    snapshot,
    text: () => metricsText([{ snapshot: snapshot() }]),
  };
}

const boundsOf = (name: MetricName) => (METRICS[name] as MetricSpec).bounds ?? [];
const seriesKey = (name: MetricName, labels: Labels) => `${name} ${JSON.stringify(labels)}`;
const readGauge = ({ read, ...series }: Gauge): Sample => ({ ...series, value: read() });

function processValues(): Sample[] {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    { name: "process_resident_memory_bytes", labels: {}, value: rss },
    { name: "nodejs_heap_used_bytes", labels: {}, value: heapUsed },
    { name: "process_uptime_seconds", labels: {}, value: process.uptime() },
  ];
}
