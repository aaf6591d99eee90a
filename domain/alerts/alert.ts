import type { Severity } from "#domain/events/severity.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

/** A condition for an operator, reported by Alertmanager or raised by our own rules. */
export const ALERT_SOURCES = ["alertmanager", "internal"] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];
export const ALERT_STATUSES = ["firing", "resolved"] as const;
type AlertStatus = (typeof ALERT_STATUSES)[number];

export type Alert = {
  alert_uid: string;
  timestamp: Date;
  name: string;
  severity: Severity;
  summary: string;
  source: AlertSource;
  status: AlertStatus;
  /** How often it was reported after the first time. */
  repeats: number;
  last_seen_at: Date;
  ended_at: Date | null;
  /** When an operator acknowledged it. */
  acked_at?: Date;
  /** Until then it is not shown as open. */
  muted_until?: Date;
  metadata: AlertMetadata;
};

export type AlertMetadata = Record<string, string | number | boolean | null>;

/** The finding of a rule. Alarms of one rule with different subjects become separate alerts. */
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
  "backup_late",
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];

export function isAlertRule(name: string): name is AlertRule {
  return ALERT_RULES.some((rule) => rule === name);
}

/** The rules of Prometheus in docs/operations/alert-rules.yml. */
export const PROMETHEUS_RULES = [
  "CodeshelfErrors",
  "CodeshelfSlow",
  "CodeshelfNoWorker",
  "CodeshelfQueueWaits",
  "CodeshelfJobsFail",
  "CodeshelfPushFails",
  "CodeshelfSandboxFails",
  "CodeshelfEventsLost",
  "CodeshelfDatabaseWaits",
  "CodeshelfDatabaseRefuses",
  "CodeshelfEventLoopHeld",
  "CodeshelfThreadsTurnAway",
  "CodeshelfBackupLate",
  "CodeshelfBackupFails",
] as const;
export type KnownAlert = AlertRule | (typeof PROMETHEUS_RULES)[number];

export function isKnownAlert(name: string): name is KnownAlert {
  return isAlertRule(name) || PROMETHEUS_RULES.some((rule) => rule === name);
}

/** During this time a second alarm for the same subject only counts as a repeat of the first alert. */
export const COOLDOWN_MINUTES: Record<AlertRule, number> = {
  high_error_rate: 15,
  slow_endpoint: 30,
  job_failed: 15,
  job_stuck: 15,
  ttl_index_missing: 60,
  push_exhausted: 30,
  events_dropped: 15,
  backup_late: 60,
};

/** The default, and the maximum below. */
export const MUTE_MINUTES = 60;
export const MUTE_MINUTES_MAX = (7 * DAY_MS) / MINUTE_MS;

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

/** Unknown labels mean an anomaly. */
export function parseSeverityLabel(word: string | undefined): Severity {
  return SEVERITY_WORDS[word?.toLowerCase() ?? ""] ?? "anomaly";
}
