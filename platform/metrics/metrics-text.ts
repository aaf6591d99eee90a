import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from "prom-client";
import { isMetricName, METRICS, type MetricName } from "#platform/metrics/metric-names.ts";
import type { HistogramSample, Labels, Snapshot } from "#platform/metrics/metrics-snapshot.ts";

/** The metrics of a process, with the labels that distinguish it from others. */
export type LabelledSnapshot = { snapshot: Snapshot; labels?: Labels };

type Value = { metricName?: string; labels: Labels; value: number };
type Family = { name: MetricName; help: string; type: string; aggregator: "sum"; values: Value[] };

/**
 * Writes the metrics of several processes in Prometheus' text format with prom-client, each name once with all its series.
 * Snapshots may come from processes of another version: unknown names and shapes are left out.
 */
export async function metricsText(snapshots: readonly LabelledSnapshot[]): Promise<string> {
  // The library's types lack the names of a histogram's values, which it reads.
  const families = snapshots.map(
    (snapshot) => listFamilies(snapshot) as unknown as MetricObjectWithValues<MetricValue<string>>[],
  );
  return AggregatorRegistry.aggregate(families).metrics();
}

function listFamilies({ snapshot, labels: extra = {} }: LabelledSnapshot): Family[] {
  const families = snapshot.values.flatMap(({ name, labels, value }) =>
    isMetricName(name) ? [toFamily(name, [{ labels: { ...labels, ...extra }, value }])] : [],
  );
  return [
    ...families,
    ...snapshot.histograms
      .filter(isKnown)
      .map((sample) => toFamily(sample.name, [...listBuckets(sample, extra)])),
  ];
}

const toFamily = (name: MetricName, values: Value[]): Family => ({
  name,
  help: METRICS[name].help,
  type: METRICS[name].type,
  aggregator: "sum",
  values,
});

const getBounds = (name: MetricName) => METRICS[name].bounds ?? [];
const isKnown = ({ name, counts }: HistogramSample) =>
  isMetricName(name) && counts.length === getBounds(name).length;

function* listBuckets(
  { name, labels: ownLabels, counts, sum, count }: HistogramSample,
  extra: Labels,
): Generator<Value> {
  const labels = { ...ownLabels, ...extra };
  let below = 0;
  for (const [i, bound] of getBounds(name).entries()) {
    below += counts[i] ?? 0;
    yield { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  }
  yield { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count };
  yield { metricName: `${name}_sum`, labels, value: sum };
  yield { metricName: `${name}_count`, labels, value: count };
}
