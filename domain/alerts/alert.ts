import type { Severity } from "#domain/events/severity.ts";

/** Something an operator should know of: told by Alertmanager, or found by one of our own rules. */
export const ALERT_SOURCES = ["alertmanager", "internal"] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];
type AlertStatus = "firing" | "resolved";

export type Alert = {
  alert_uid: string;
  timestamp: Date;
  name: string;
  severity: Severity;
  summary: string;
  source: AlertSource;
  status: AlertStatus;
  /** How often it was told again while it was already known. */
  repeats: number;
  last_seen_at: Date;
  ended_at: Date | null;
  metadata: AlertMetadata;
};

export type AlertMetadata = Record<string, string | number | boolean | null>;

/** What one of our rules found. Its subject tells it from others of the same rule, which are raised side by side. */
export type Alarm = {
  rule: AlertRule;
  subject: string;
  severity: Severity;
  summary: string;
  metadata: AlertMetadata;
};

export const ALERT_RULES = [
  "high_error_rate",
  "slow_endpoint",
  "job_failed",
  "job_stuck",
  "ttl_index_missing",
  "push_exhausted",
  "events_dropped",
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];

export function isAlertRule(name: string): name is AlertRule {
  return ALERT_RULES.some((rule) => rule === name);
}

/** A subject that was raised stays quiet for so long; what comes meanwhile is counted on the alert that is there. */
export const COOLDOWN_MINUTES: Record<AlertRule, number> = {
  high_error_rate: 15,
  slow_endpoint: 30,
  job_failed: 15,
  job_stuck: 15,
  ttl_index_missing: 60,
  push_exhausted: 30,
  events_dropped: 15,
};

const SEVERITY_WORDS: Record<string, Severity> = {
  critical: "critical",
  page: "critical",
  emergency: "critical",
  error: "error",
  high: "error",
  anomaly: "anomaly",
  warning: "warn",
  warn: "warn",
  info: "info",
  information: "info",
  none: "debug",
  debug: "debug",
};

/** The severity that an alert's label means; one that says nothing we know is an anomaly. */
export function severityOfLabel(word: string | undefined): Severity {
  return SEVERITY_WORDS[word?.toLowerCase() ?? ""] ?? "anomaly";
}
