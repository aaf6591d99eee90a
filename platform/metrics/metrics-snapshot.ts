import type { MetricName } from "#platform/metrics/metric-names.ts";

export type Labels = Readonly<Record<string, string>>;

export type Sample = { name: MetricName; labels: Labels; value: number };

/** Counts per bound, not cumulative. Values beyond the last bound are only in `count`. */
export type HistogramSample = {
  name: MetricName;
  labels: Labels;
  counts: number[];
  sum: number;
  count: number;
};

/** All metrics of a process. Much smaller than prom-client's own list, because every heartbeat carries it. */
export type Snapshot = { values: Sample[]; histograms: HistogramSample[] };
