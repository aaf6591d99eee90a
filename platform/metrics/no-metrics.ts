import type { Metrics } from "#platform/metrics/metrics.ts";

/** For a process that ends with its work, whose figures nobody reads. */
export const noMetrics: Pick<Metrics, "count" | "observe"> = { count: () => {}, observe: () => {} };
