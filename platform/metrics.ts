/**
 * Counters and duration histograms of one process, written in Prometheus' text format. Label values come from closed sets
 * (a route pattern, a status, an event name), never from what a visitor typed, so the number of series stays bounded.
 */
export type Labels = Readonly<Record<string, string>>;

export type Metrics = {
  count(name: string, labels?: Labels, by?: number): void;
  observe(name: string, seconds: number, labels?: Labels): void;
  text(): string;
};

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Histogram = { counts: number[]; sum: number; count: number };

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>();
  const histograms = new Map<string, Map<string, Histogram>>();
  return {
    count(name, labels = {}, by = 1) {
      const series = seriesOf(counters, name);
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    observe(name, seconds, labels = {}) {
      const series = seriesOf(histograms, name);
      const key = labelText(labels);
      const histogram = series.get(key) ?? { counts: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 };
      series.set(key, histogram);
      const bucket = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit);
      if (bucket >= 0) histogram.counts[bucket] += 1;
      histogram.sum += seconds;
      histogram.count += 1;
    },
    text: () => [...counterLines(counters), ...histogramLines(histograms), ...processLines(), ""].join("\n"),
  };
}

function seriesOf<T>(table: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const series = table.get(name) ?? new Map<string, T>();
  table.set(name, series);
  return series;
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}="${value.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}"`)
    .join(",");
}

const braced = (...parts: string[]) => {
  const filled = parts.filter(Boolean);
  return filled.length > 0 ? `{${filled.join(",")}}` : "";
};

function* counterLines(counters: Map<string, Map<string, number>>): Generator<string> {
  for (const [name, series] of counters) {
    yield `# TYPE ${name} counter`;
    for (const [labels, value] of series) yield `${name}${braced(labels)} ${value}`;
  }
}

function* histogramLines(histograms: Map<string, Map<string, Histogram>>): Generator<string> {
  for (const [name, series] of histograms) {
    yield `# TYPE ${name} histogram`;
    for (const [labels, histogram] of series) {
      let below = 0;
      for (const [i, limit] of BUCKETS_SECONDS.entries()) {
        below += histogram.counts[i];
        yield `${name}_bucket${braced(labels, `le="${limit}"`)} ${below}`;
      }
      yield `${name}_bucket${braced(labels, 'le="+Inf"')} ${histogram.count}`;
      yield `${name}_sum${braced(labels)} ${histogram.sum}`;
      yield `${name}_count${braced(labels)} ${histogram.count}`;
    }
  }
}

function processLines(): string[] {
  const memory = process.memoryUsage();
  return [
    "# TYPE process_resident_memory_bytes gauge",
    `process_resident_memory_bytes ${memory.rss}`,
    "# TYPE nodejs_heap_used_bytes gauge",
    `nodejs_heap_used_bytes ${memory.heapUsed}`,
    "# TYPE process_uptime_seconds gauge",
    `process_uptime_seconds ${process.uptime()}`,
  ];
}
