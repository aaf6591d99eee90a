import type { Metrics } from "#platform/metrics/metrics.ts";

/** For processes whose metrics nobody reads. */
export const noMetrics: Pick<Metrics, "count" | "observe"> = { count: () => {}, observe: () => {} };
