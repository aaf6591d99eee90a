import { z } from "zod";
import { explanationShape } from "#app/code-runs/explain.server.ts";
import { explainWithCache } from "#app/operators/alert-explanation.server.ts";
import { answerExport } from "#app/operators/observability-export.server.ts";
import {
  aggregationsShape,
  alertShape,
  alertsShape,
  exportShape,
  replayShape,
  timeseriesShape,
} from "#app/operators/observability-shapes.server.ts";
import {
  findWireAlert,
  SERIES,
  toWireAlert,
  toWireAlerts,
} from "#app/operators/observability-wire.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import {
  createNumberParam,
  cursorParam,
  done,
  LIMIT,
  ok,
  optionalParam,
} from "#app/web/api/shapes.server.ts";
import { acknowledgeAlert, muteAlert } from "#db/alerts/alert-life.server.ts";
import { countAlertsBySeverity, findAlert, listAlerts } from "#db/alerts/alerts.server.ts";
import { recordQuickFixUse } from "#db/alerts/quick-fix-uses.server.ts";
import { sumEventCounts, topEvents } from "#db/events/event-counts.server.ts";
import { listEvents } from "#db/events/event-history.server.ts";
import { listSlowEndpoints } from "#db/events/request-timings.server.ts";
import { ALERT_STATUSES, MUTE_MINUTES } from "#domain/alerts/alert.ts";
import { alertToExplain, muteRequest, quickFixUse } from "#domain/alerts/alert-schema.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { parseGranularity, parseWindow } from "#domain/events/time-window.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";

const DEFAULT_MS = { usual: DAY_MS, timeseries: 7 * DAY_MS, replay: 6 * HOUR_MS };
const TOP_EVENTS = 10;
const TOP_ENDPOINTS = 10;
const REPLAY_LIMIT = 500;

const moment = (description: string) =>
  optionalParam(z.string().max(40)).meta({ description, format: "date-time" });
const window = {
  timerange: optionalParam(z.string().max(20)).describe(
    "The time until now, such as `30m`, `24h` or `7d`; not together with start_time.",
  ),
  start_time: moment("Start of the time range, such as `2026-11-14T09:00:00Z`."),
  end_time: moment("End of the time range; now if you leave it out."),
};
const severity = optionalParam(z.enum(SEVERITIES)).describe("Only this severity.");
const windowQuery = z.object(window);
const alertQuery = z.object({
  ...window,
  severity,
  status: optionalParam(z.enum(ALERT_STATUSES)).describe("Only this status."),
  search: optionalParam(z.string().trim().max(200)).describe(
    "Words to find in the name and summary of an alert.",
  ),
  page: optionalParam(createNumberParam(1, 10_000)).describe(
    "Number of the page, from 1; `cursor` takes its place.",
  ),
  per_page: optionalParam(createNumberParam(1, 200)).describe(LIMIT),
  cursor: cursorParam,
});
const METRICS = ["alerts_count", "response_time", "error_rate"] as const;
const seriesQuery = z.object({
  ...window,
  metric: optionalParam(z.enum(METRICS)).describe("What to measure; alerts_count if you leave it out."),
  granularity: optionalParam(z.string().max(20)).describe(
    "Time between two points, such as `300` (seconds), `5m`, `1h` or `1d`.",
  ),
});
const replayQuery = z.object({
  ...window,
  severity,
  event: optionalParam(z.string().regex(/^[a-z_]{1,80}$/)).describe("Only events of this name."),
  cursor: cursorParam,
  limit: optionalParam(createNumberParam(1, 1_000)).describe(LIMIT),
});
const exportQuery = z.object({
  ...window,
  format: optionalParam(z.enum(["json", "csv"])).describe("Format of the file; json if you leave it out."),
});
export const observabilityEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/observability/alerts",
    gate: "admin",
    summary: "List alerts in a time range, newest first",
    refuses: ["invalid_cursor"],
    returns: { 200: alertsShape },
    query: alertQuery,
    answer: async ({ services: { db, clock }, query }) => {
      const { severity, status, search, page = 1, per_page = 50, cursor } = query;
      const window = parseWindow(query, clock(), DEFAULT_MS.usual);
      if (isRefusal(window)) return window;
      const after = cursor ? decodeCursor(cursor) : null;
      if (cursor && !after) return Refusal("invalid_cursor");
      const filters = { window, severity, status, search, page, perPage: per_page, after };
      const { alerts, total, next } = await listAlerts(db, filters);
      const next_cursor = next && encodeCursor(next);
      return { ok: true, page, per_page, total, alerts: await toWireAlerts(db, alerts), next_cursor };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/observability/aggregations",
    gate: "admin",
    summary: "Get event counts, top events and the slowest endpoints",
    returns: { 200: aggregationsShape },
    query: windowQuery,
    answer: async ({ services: { db, clock }, query }) => {
      const window = parseWindow(query, clock(), DEFAULT_MS.usual);
      if (isRefusal(window)) return window;
      const [totals, alerts, top_slow_endpoints] = await Promise.all([
        sumEventCounts(db, window),
        countAlertsBySeverity(db, window),
        listSlowEndpoints(db, window, TOP_ENDPOINTS),
      ]);
      const { anomaly, error } = totals.bySeverity;
      // Events are never critical; alerts can be, including those received from outside.
      const summary = { total: totals.total, critical: alerts.critical, anomaly, error };
      return { ok: true, summary, top_events: topEvents(totals, TOP_EVENTS), top_slow_endpoints };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/observability/timeseries",
    gate: "admin",
    summary: "Get alerts, response times or the error rate over time",
    returns: { 200: timeseriesShape },
    query: seriesQuery,
    answer: async ({ services: { db, clock }, query }) => {
      const { metric = "alerts_count", granularity } = query;
      const window = parseWindow(query, clock(), DEFAULT_MS.timeseries);
      if (isRefusal(window)) return window;
      const granularity_seconds = parseGranularity(granularity, window);
      if (isRefusal(granularity_seconds)) return granularity_seconds;
      return {
        ok: true,
        metric,
        granularity_seconds,
        data: await SERIES[metric](db, window, granularity_seconds),
      };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/observability/replay",
    gate: "admin",
    summary: "List the events in a time range, oldest first",
    refuses: ["invalid_cursor"],
    returns: { 200: replayShape },
    query: replayQuery,
    answer: async ({ services: { db, clock }, query }) => {
      const { severity, event, limit = REPLAY_LIMIT, cursor } = query;
      const window = parseWindow(query, clock(), DEFAULT_MS.replay);
      if (isRefusal(window)) return window;
      const after = cursor ? decodeCursor(cursor) : null;
      if (cursor && !after) return Refusal("invalid_cursor");
      const [{ total, bySeverity }, eventsWithNext] = await Promise.all([
        sumEventCounts(db, window),
        listEvents(db, { window, severity, event, after, limit: limit + 1 }),
      ]);
      const events = eventsWithNext.slice(0, limit);
      const last = eventsWithNext.length > limit ? events.at(-1) : undefined;
      return {
        ok: true,
        window: { start_time: toTimestamp(window.start), end_time: toTimestamp(window.end) },
        counts: { total, ...bySeverity },
        events: events.map(writeTimestamps),
        next_cursor: last ? encodeCursor({ createdAtMs: last.timestamp.getTime(), id: last.event_id }) : null,
      };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/observability/export",
    gate: "admin",
    summary: "Export alerts and events in a time range as JSON or CSV",
    refuses: ["invalid_cursor"],
    returns: { 200: exportShape },
    query: exportQuery,
    answer: async ({ services: { db, clock }, query }) => {
      const window = parseWindow(query, clock(), DEFAULT_MS.usual);
      return isRefusal(window) ? window : answerExport(db, window, query.format ?? "json", clock());
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/observability/quickfix/track",
    gate: "admin",
    summary: "Record the use of a quick fix",
    refuses: ["missing_fields", "alert_not_found", "quick_fix_not_found", "quick_fix_failed"],
    returns: { 200: done },
    body: quickFixUse,
    answer: async ({ services: { db, clock }, signedIn, body: { action_id, alert_uid } }) => {
      if (!(await findAlert(db, alert_uid))) return Refusal("alert_not_found", { alert_uid });
      await recordQuickFixUse(db, signedIn.user.id, { action_id, alert_uid }, clock());
      return { ok: true };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/observability/alerts/:alert_uid/ack",
    gate: "admin",
    summary: "Acknowledge an alert",
    returns: { 200: z.object({ ok, alert: alertShape }) },
    answer: async ({ services: { db, clock }, params: { alert_uid } }) => {
      const alert = await acknowledgeAlert(db, alert_uid, clock());
      return alert ? { ok: true, alert: toWireAlert(alert) } : Refusal("alert_not_found", { alert_uid });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/observability/alerts/:alert_uid/mute",
    gate: "admin",
    summary: "Mute an alert for some minutes",
    returns: { 200: z.object({ ok, alert: alertShape }) },
    body: muteRequest,
    answer: async ({ services: { db, clock }, params: { alert_uid }, body }) => {
      const until = new Date(clock().getTime() + (body?.minutes ?? MUTE_MINUTES) * MINUTE_MS);
      const alert = await muteAlert(db, alert_uid, until);
      return alert ? { ok: true, alert: toWireAlert(alert) } : Refusal("alert_not_found", { alert_uid });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/observability/alerts/ai_explain",
    gate: "admin",
    summary: "Explain an alert",
    refuses: ["missing_fields", "alert_not_found", "explain_failed", "explain_timeout"],
    returns: { 200: z.object({ ok, explanation: explanationShape }) },
    body: alertToExplain,
    answer: async ({ context, signedIn: { user }, body: { alert_uid, alert } }) => {
      const explainedAlert = alert_uid ? await findWireAlert(context.services.db, alert_uid) : alert;
      if (!explainedAlert) return Refusal("alert_not_found", { alert_uid });
      const explanation = await explainWithCache(context, user.id, explainedAlert);
      return isRefusal(explanation) ? explanation : { ok: true, explanation };
    },
  }),
];
