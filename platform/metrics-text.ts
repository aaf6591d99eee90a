import { isMetricName, METRICS, type MetricName, type MetricSpec } from "#platform/metric-names.ts";
import type { HistogramSample, Labels, Snapshot } from "#platform/metrics.ts";

/** What a process counted, and what tells its series from those of the others. */
export type Told = { snapshot: Snapshot; labels?: Labels };

/**
 * The figures of one or more processes in Prometheus' text format, each name once with all its series. A snapshot may come from
 * a process of another version: a name or a shape that this one does not know is left out.
 */
export function metricsText(told: readonly Told[]): string {
  const families = new Map<MetricName, string[]>();
  const family = (name: MetricName) => {
    const lines = families.get(name) ?? [];
    families.set(name, lines);
    return lines;
  };
  for (const { snapshot, labels = {} } of told) {
    for (const { name, labels: own, value } of snapshot.values)
      if (isMetricName(name)) family(name).push(line(name, { ...own, ...labels }, value));
    for (const histogram of snapshot.histograms)
      if (isKnown(histogram)) family(histogram.name).push(...histogramLines(histogram, labels));
  }
  return [...families].map(([name, lines]) => `${[...headOf(name), ...lines].join("\n")}\n`).join("");
}

const headOf = (name: MetricName) => [
  `# HELP ${name} ${METRICS[name].help}`,
  `# TYPE ${name} ${METRICS[name].type}`,
];

const boundsOf = (name: MetricName) => (METRICS[name] as MetricSpec).bounds ?? [];
const isKnown = ({ name, counts }: HistogramSample) =>
  isMetricName(name) && counts.length === boundsOf(name).length;

function* histogramLines({ name, labels, counts, sum, count }: HistogramSample, more: Labels) {
  const all = { ...labels, ...more };
  let below = 0;
  for (const [i, bound] of boundsOf(name).entries()) {
    below += counts[i];
    yield line(`${name}_bucket`, { ...all, le: String(bound) }, below);
  }
  yield line(`${name}_bucket`, { ...all, le: "+Inf" }, count);
  yield line(`${name}_sum`, all, sum);
  yield line(`${name}_count`, all, count);
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

const escaped = (text: string) => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`));
