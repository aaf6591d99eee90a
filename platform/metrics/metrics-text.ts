import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from "prom-client";
import { isMetricName, METRICS, type MetricName } from "#platform/metrics/metric-names.ts";
import type { HistogramSample, Labels, Snapshot } from "#platform/metrics/metrics-snapshot.ts";

/** What a process counted, and the labels that tell its series from those of others. */
export type LabelledSnapshot = { snapshot: Snapshot; labels?: Labels };

type Value = { metricName?: string; labels: Labels; value: number };
type Family = { name: MetricName; help: string; type: string; aggregator: "sum"; values: Value[] };

/**
 * The figures of one or more processes in Prometheus' text format as prom-client writes it, each name once with all its series.
 * A snapshot may come from a process of another version: a name or a shape that this one does not know is left out.
 */
export async function metricsText(snapshots: readonly LabelledSnapshot[]): Promise<string> {
  // Its types leave out the names of the values of a histogram, which it reads.
  const families = snapshots.map(
    (one) => listFamilies(one) as unknown as MetricObjectWithValues<MetricValue<string>>[],
  );
  return AggregatorRegistry.aggregate(families).metrics();
}

function listFamilies({ snapshot, labels: more = {} }: LabelledSnapshot): Family[] {
  const values = snapshot.values.flatMap(({ name, labels, value }) =>
    isMetricName(name) ? [family(name, [{ labels: { ...labels, ...more }, value }])] : [],
  );
  return [
    ...values,
    ...snapshot.histograms.filter(isKnown).map((one) => family(one.name, [...listBuckets(one, more)])),
  ];
}

const family = (name: MetricName, values: Value[]): Family => ({
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
  { name, labels: own, counts, sum, count }: HistogramSample,
  more: Labels,
): Generator<Value> {
  const labels = { ...own, ...more };
  let below = 0;
  for (const [i, bound] of getBounds(name).entries()) {
    below += counts[i] ?? 0;
    yield { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  }
  yield { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count };
  yield { metricName: `${name}_sum`, labels, value: sum };
  yield { metricName: `${name}_count`, labels, value: count };
}
