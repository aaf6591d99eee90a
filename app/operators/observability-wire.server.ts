import { getDictionary } from "#app/i18n/dictionaries.ts";
import { countAlertsByStep, findAlert } from "#db/alerts/alerts.server.ts";
import { countQuickFixUses, useKey } from "#db/alerts/quick-fix-uses.server.ts";
import type { Db } from "#db/client.ts";
import { sumTimingsByStep } from "#db/events/request-timings.server.ts";
import type { Alert } from "#domain/alerts/alert.ts";
import { listQuickFixes } from "#domain/alerts/quick-fixes.ts";
import { averageMs, percentileMs } from "#domain/events/duration-histogram.ts";
import type { TimeWindow } from "#domain/events/time-window.ts";
import { toTimestamp, toTimestampOrNull, writeTimestamps } from "#domain/time/timestamp.ts";

const english = getDictionary("en").observability.quickFixes;
const hebrew = getDictionary("he").observability.quickFixes;

export async function toWireAlerts(db: Db, alerts: readonly Alert[]) {
  const uses = await countQuickFixUses(
    db,
    alerts.map(({ alert_uid }) => alert_uid),
  );
  return alerts.map((alert) => ({
    ...toWireAlert(alert),
    quick_fixes: listQuickFixes(alert).map((fix) => ({
      ...fix,
      label: english[fix.action_id],
      label_he: hebrew[fix.action_id],
      uses: uses.get(useKey({ alert_uid: alert.alert_uid, action_id: fix.action_id })) ?? 0,
    })),
  }));
}

export const toWireAlert = (alert: Alert) => ({
  ...writeTimestamps(alert),
  acked_at: toTimestampOrNull(alert.acked_at),
  muted_until: toTimestampOrNull(alert.muted_until),
});

export async function findWireAlert(db: Db, alertUid: string) {
  const alert = await findAlert(db, alertUid);
  return alert && toWireAlert(alert);
}

type SeriesMetric = "alerts_count" | "response_time" | "error_rate";
type Series = (
  db: Db,
  window: TimeWindow,
  stepSeconds: number,
) => Promise<({ timestamp: string } & object)[]>;

/** The points of each series, oldest first, including steps in which nothing happened. */
export const SERIES = {
  alerts_count: async (db, window, seconds) =>
    (await countAlertsByStep(db, window, seconds)).map(({ at, ...counts }) => ({
      timestamp: toTimestamp(at),
      ...counts,
    })),
  response_time: async (db, window, seconds) =>
    (await sumTimingsByStep(db, window, seconds)).map(({ at, durations }) => ({
      timestamp: toTimestamp(at),
      count: durations.count,
      avg_ms: averageMs(durations),
      p95_ms: percentileMs(durations, 0.95),
      max_ms: durations.count > 0 ? durations.max_ms : null,
    })),
  error_rate: async (db, window, seconds) =>
    (await sumTimingsByStep(db, window, seconds)).map(({ at, durations: { count, errors } }) => ({
      timestamp: toTimestamp(at),
      count,
      errors,
      error_rate: count > 0 ? Math.round((errors / count) * 10_000) / 10_000 : null,
    })),
} as const satisfies Record<SeriesMetric, Series>;
