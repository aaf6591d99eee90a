/** Severities from mildest to gravest. */
export const SEVERITIES = ["debug", "info", "warn", "anomaly", "error", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
