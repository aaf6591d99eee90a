import type { MetricName } from "#platform/metrics/metric-names.ts";

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

/** All figures of a process, much smaller than prom-client's own list, because every heartbeat carries them. */
export type Snapshot = { values: Sample[]; histograms: HistogramSample[] };
