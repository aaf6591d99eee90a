/** How grave an event or an alert is, the mildest first. */
export const SEVERITIES = ["debug", "info", "warn", "anomaly", "error", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
