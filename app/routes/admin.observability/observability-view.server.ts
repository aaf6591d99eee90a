import type { SerializeFrom } from "@remix-run/node";
import { z } from "zod";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { AlertWording } from "#app/i18n/en/alert-words.ts";
import { explainByRules, explainWithCache } from "#app/operators/alert-explanation.server.ts";
import { SERIES, toWireAlerts } from "#app/operators/observability-wire.server.ts";
import type { RequestContext, WebServices } from "#app/web/request-context.ts";
import { listFiringAlerts } from "#db/alerts/alert-life.server.ts";
import { countAlertsBySeverity, findAlert, listAlerts } from "#db/alerts/alerts.server.ts";
import { sumEventCounts, topEvents } from "#db/events/event-counts.server.ts";
import { listEvents } from "#db/events/event-history.server.ts";
import { findEventPeople } from "#db/events/event-people.server.ts";
import { listSlowEndpoints } from "#db/events/request-timings.server.ts";
import {
  ALERT_RULES,
  ALERT_STATUSES,
  type Alert,
  type AlertRule,
  isAlertRule,
  isKnownAlert,
} from "#domain/alerts/alert.ts";
import { explainAlert } from "#domain/alerts/alert-explanation.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { parseGranularity, parseWindow, type TimeWindow } from "#domain/events/time-window.ts";
import type { Locale } from "#domain/locale.ts";
import { isRefusal } from "#domain/refusal.ts";
import { parseSort } from "#domain/sort.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";
import { listFacts } from "./event-facts.server.ts";
import { describeEvent } from "./event-messages.server.ts";

const alert_uid = z.string().max(120);
export const alertForm = z.union([
  z.object({ intent: z.enum(["ack", "mute"]), alert_uid }),
  z.object({ alert_uid, action_id: z.string().max(120) }),
]);

const SLOW_LISTED = 15;
const ALERTS_SHOWN = 25;
const TOP_EVENTS = 8;
const PAGES_MAX = 10_000;
const EVENTS_REPLAYED = 100;
const SLOW_COLUMNS = ["endpoint", "count", "avg_ms", "p95_ms"] as const;

/** Reads the query of the address. The page never fails because of it: an unreadable value is left out. */
export function readObservabilityQuery(url: URL, now: Date) {
  const read = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  const [start_time, end_time, timerange] = ["start_time", "end_time", "timerange"].map(read);
  const window = parseWindow({ timerange, start_time, end_time }, now, DAY_MS);
  const isRefused = isRefusal(window);
  const page = Number(read("page"));
  return {
    window: isRefused ? { start: new Date(now.getTime() - DAY_MS), end: now } : window,
    refused: isRefused,
    chosen: !isRefused && start_time ? { start_time, end_time } : null,
    timerange: isRefused ? "24h" : (timerange ?? "24h"),
    severity: SEVERITIES.find((severity) => severity === read("severity")),
    status: ALERT_STATUSES.find((status) => status === read("status")),
    search: read("search")?.slice(0, 200),
    page: Number.isInteger(page) && page > 0 && page <= PAGES_MAX ? page : 1,
    after: read("after"),
    sort: parseSort(read("sort") ?? null, SLOW_COLUMNS, { by: "p95_ms", descending: true }),
    explain: read("explain"),
    runbook: read("runbook"),
    request: read("request")?.slice(0, 64),
    replay: read("replay") === "on" || start_time !== undefined,
    cursor: read("cursor"),
    refresh: read("refresh") !== "off",
  };
}

type ObservabilityQuery = ReturnType<typeof readObservabilityQuery>;

export async function loadPage(context: RequestContext, userId: string, query: ObservabilityQuery) {
  const { window: _, ...shown } = query;
  return { query: shown, ...(await readViewData(context, userId, query)) };
}

export type ObservabilityPage = SerializeFrom<Awaited<ReturnType<typeof loadPage>>>;

async function readViewData(context: RequestContext, userId: string, query: ObservabilityQuery) {
  const { services } = context;
  const { db } = services;
  const { window, severity, status, search, page } = query;
  const locale = await context.locale();
  const wordings = getDictionary(locale).observability.alertWords;
  const after = page > 1 && query.after ? decodeCursor(query.after) : null;
  const [totals, counts, firing, slow, series, alertList] = await Promise.all([
    sumEventCounts(db, window),
    countAlertsBySeverity(db, window),
    listFiringAlerts(db),
    listSlowEndpoints(db, window, SLOW_LISTED),
    readSeries(services, window),
    listAlerts(db, {
      window,
      severity,
      status,
      search,
      names: findRulesByText(search, wordings),
      page,
      perPage: ALERTS_SHOWN,
      after,
    }),
  ]);
  return {
    summary: { total: totals.total, ...totals.bySeverity, critical: counts.critical },
    counts,
    /** Alerts that still last and began before the time range of the list. */
    lasting: await toWireAlerts(
      db,
      firing.filter(({ timestamp }) => timestamp < window.start),
    ),
    now: toTimestamp(services.clock()),
    topEvents: topEvents(totals, TOP_EVENTS).map((top) => ({
      ...top,
      message: describeEvent(top.event, locale),
    })),
    slow,
    series,
    alerts: await toWireAlerts(db, alertList.alerts),
    alertTotal: alertList.total,
    older: alertList.next && encodeCursor(alertList.next),
    pages: Math.max(1, Math.ceil(alertList.total / ALERTS_SHOWN)),
    explanation: await explainChosen(context, userId, query.explain),
    runbook:
      query.runbook && isKnownAlert(query.runbook)
        ? {
            name: query.runbook,
            ...explainAlert({ name: query.runbook }, getDictionary(locale).observability),
          }
        : null,
    replay: query.replay ? await readReplay(services, locale, query) : null,
  };
}

type AlertWordings = Record<AlertRule, AlertWording>;

/** Finds the rules whose text in the reader's language matches the search. The store has only the English text. */
function findRulesByText(search: string | undefined, wordings: AlertWordings): AlertRule[] {
  const needle = search?.toLowerCase();
  if (needle === undefined) return [];
  return ALERT_RULES.filter((rule) =>
    `${wordings[rule].title}\n${wordings[rule].says({})}`.toLowerCase().includes(needle),
  );
}

function translateSummary(alert: Alert, wordings: AlertWordings): Alert {
  const { name, source, metadata } = alert;
  const isOwn = source === "internal" && isAlertRule(name);
  return isOwn ? { ...alert, summary: wordings[name].says(metadata) } : alert;
}

async function readSeries({ db }: WebServices, window: TimeWindow) {
  const seconds = parseGranularity(undefined, window);
  if (isRefusal(seconds)) throw new Error("A window has a granularity of its own");
  const [alerts, times, errors] = await Promise.all([
    SERIES.alerts_count(db, window, seconds),
    SERIES.response_time(db, window, seconds),
    SERIES.error_rate(db, window, seconds),
  ]);
  return {
    alerts_count: alerts.map(({ timestamp, total }) => ({ at: timestamp, value: total })),
    response_time: times.map(({ timestamp, p95_ms }) => ({ at: timestamp, value: p95_ms })),
    error_rate: errors.map(({ timestamp, error_rate }) => ({ at: timestamp, value: error_rate })),
  };
}

/** If the model gives no answer, the page shows the reason and the explanation by our rules. */
async function explainChosen(context: RequestContext, userId: string, alertUid: string | undefined) {
  const { db, clock } = context.services;
  const alert = alertUid ? await findAlert(db, alertUid) : null;
  if (!alert) return null;
  const wordedAlert = translateSummary(alert, getDictionary(await context.locale()).observability.alertWords);
  const answer = await explainWithCache(context, userId, wordedAlert);
  const [explanation, refused] = isRefusal(answer)
    ? [explainByRules(wordedAlert, clock(), await context.locale()), answer.refused]
    : [answer, null];
  return { alert_uid: alert.alert_uid, name: alert.name, refused, ...explanation };
}

async function readReplay(
  { db }: WebServices,
  locale: Locale,
  { window, severity, request, cursor }: ObservabilityQuery,
) {
  const after = cursor ? decodeCursor(cursor) : null;
  const limit = EVENTS_REPLAYED + 1;
  const eventsWithNext = await listEvents(db, {
    window,
    severity,
    request_id: request,
    after,
    newestFirst: true,
    limit,
  });
  const events = eventsWithNext.slice(0, EVENTS_REPLAYED);
  const people = await findEventPeople(
    db,
    events.flatMap(({ resource }) => resource ?? []),
  );
  const last = eventsWithNext.length > EVENTS_REPLAYED ? events.at(-1) : undefined;
  return {
    events: events
      .map(writeTimestamps)
      .map(({ event_id, timestamp, event, severity, msg_he: _, ...fields }) => ({
        event_id,
        timestamp,
        event,
        severity,
        message: describeEvent(event, locale),
        facts: listFacts(fields, getDictionary(locale), people),
      })),
    next: last ? encodeCursor({ createdAtMs: last.timestamp.getTime(), id: last.event_id }) : null,
  };
}
