import type { Alarm } from "#domain/alerts/alert.ts";
import { type Durations, percentileMs } from "#domain/events/duration-histogram.ts";
import type { EventName } from "#domain/events/events.ts";
import type { SyncError } from "#domain/repos/repo.ts";
import { hasKey } from "#domain/typed-keys.ts";

/** The rules that raise internal alerts. Some read the request metrics of the last minutes, others a single event. */
export const LOOK_BACK_MINUTES = 5;

const REQUESTS_MIN = 20;
const ERRORS_MIN = 5;
const ERROR_SHARE = 0.05;
const ERROR_SHARE_CRITICAL = 0.25;
const SLOW_P95_MS = 2_000;
const SLOW_REQUESTS_MIN = 10;

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

export function errorRateAlarm({ count, errors }: Durations): Alarm | null {
  const share = count === 0 ? 0 : errors / count;
  if (count < REQUESTS_MIN || errors < ERRORS_MIN || share < ERROR_SHARE) return null;
  return {
    rule: "high_error_rate",
    subject: "all",
    severity: share >= ERROR_SHARE_CRITICAL ? "critical" : "error",
    summary: `${percent(share)} of ${count} requests failed in ${LOOK_BACK_MINUTES} minutes`,
    metadata: { count, errors, error_rate: Math.round(share * 10_000) / 10_000 },
  };
}

// These requests wait by design for a worker's answer or the end of a program.
const SLOW_BY_NATURE = new Set(["/api/push/test", "/api/code/run", "/tools/code"]);

export function slowEndpointAlarm(timings: Durations & { endpoint: string; method: string }): Alarm | null {
  const { endpoint, method, count } = timings;
  const p95_ms = percentileMs(timings, 0.95) ?? 0;
  if (count < SLOW_REQUESTS_MIN || p95_ms < SLOW_P95_MS || SLOW_BY_NATURE.has(endpoint)) return null;
  return {
    rule: "slow_endpoint",
    subject: `${method} ${endpoint}`,
    severity: "anomaly",
    summary: `${method} ${endpoint}: p95 is ${Math.round(p95_ms)} ms`,
    metadata: { endpoint, method, count, p95_ms },
  };
}

/** Raised when two backups in a row are missing. `hours` is the time between backups. */
export function backupLateAlarm(hours: number): Alarm {
  return {
    rule: "backup_late",
    subject: "backup",
    severity: "error",
    summary: `No backup was made for more than twice ${hours} hours`,
    metadata: { job_id: "backup" },
  };
}

type StoredEvent = { event: string; request_id: string | null; [field: string]: unknown };
const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** The person sees these errors and can fix them; an operator cannot. */
const PERSONS_SYNC_ERRORS: readonly SyncError[] = [
  "address_refused",
  "unreachable",
  "certificate_untrusted",
  "remote_not_found",
  "access_denied",
  "moved",
  "too_large",
  "too_many_files",
  "mirrors_full",
];

export const isPersonsSyncError = (reason: unknown): boolean =>
  PERSONS_SYNC_ERRORS.some((syncError) => syncError === reason);

const EVENT_ALARMS: Partial<Record<EventName, (event: StoredEvent) => Alarm | null>> = {
  job_failed: ({ job_id, run_id, error, reason }) =>
    isPersonsSyncError(reason)
      ? null
      : {
          rule: "job_failed",
          subject: text(job_id),
          severity: "error",
          summary: `Job ${text(job_id)} failed`,
          metadata: { job_id: text(job_id), run_id: text(run_id), reason: text(reason), error: text(error) },
        },
  job_stuck: ({ job_id, run_id, reason, ms }) => ({
    rule: "job_stuck",
    subject: text(job_id),
    severity: "anomaly",
    summary: `Job ${text(job_id)} is stuck`,
    metadata: { job_id: text(job_id), run_id: text(run_id), reason: text(reason), ms: number(ms) },
  }),
  db_recycle_bin_ttl_index_missing: ({ state }) => ({
    rule: "ttl_index_missing",
    subject: "bin_expiry",
    severity: "error",
    summary: "The index that empties the trash is missing or different",
    metadata: { index: "bin_expiry", state: text(state) },
  }),
  push_event_delivery_exhausted: ({ attempts }) => ({
    rule: "push_exhausted",
    subject: "push_events",
    severity: "anomaly",
    summary: "A notification failed on every attempt",
    metadata: { job_id: "push_events", attempts: number(attempts) },
  }),
  events_dropped: ({ count }) => ({
    rule: "events_dropped",
    subject: "events",
    severity: "error",
    summary: "Events were lost because the database was unavailable",
    metadata: { count: number(count) },
  }),
};

export function eventAlarm(event: StoredEvent): Alarm | null {
  return (hasKey(EVENT_ALARMS, event.event) && EVENT_ALARMS[event.event]?.(event)) || null;
}
