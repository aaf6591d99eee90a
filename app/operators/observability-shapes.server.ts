import { z } from "zod";
import { count, ok, timestamp } from "#app/web/api/shapes.server.ts";
import { ALERT_SOURCES } from "#domain/alerts/alert.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { mapKeys } from "#domain/typed-keys.ts";

const severity = z.enum(SEVERITIES);
const severities = mapKeys(SEVERITIES, () => count);

const alert = {
  alert_uid: z.string(),
  timestamp,
  name: z.string(),
  severity,
  summary: z.string(),
  source: z.enum(ALERT_SOURCES),
  status: z.enum(["firing", "resolved"]),
  repeats: count,
  last_seen_at: timestamp,
  ended_at: timestamp.nullable(),
  acked_at: timestamp.nullable(),
  muted_until: timestamp.nullable(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
};

export const alertShape = z.object(alert);

const quickFix = z.object({
  action_id: z.string(),
  kind: z.enum(["link", "action"]),
  label: z.string(),
  label_he: z.string(),
  href: z.string(),
  uses: count,
});

const event = z.looseObject({
  event_id: z.string(),
  event: z.string(),
  severity,
  request_id: z.string().nullable(),
  timestamp,
  msg_he: z.string(),
  resource: z.object({ type: z.string(), id: z.string() }).optional(),
});

const ms = z.number().min(0);
const window = z.object({ start_time: timestamp, end_time: timestamp });

export const alertsShape = z.object({
  ok,
  page: count,
  per_page: count,
  total: count,
  alerts: z.array(z.object({ ...alert, quick_fixes: z.array(quickFix) }).meta({ id: "Alert" })),
  next_cursor: z.string().nullable(),
});

export const aggregationsShape = z.object({
  ok,
  summary: z.object({ total: count, critical: count, anomaly: count, error: count }),
  top_events: z.array(z.object({ event: z.string(), count })),
  top_slow_endpoints: z.array(
    z.object({ endpoint: z.string(), method: z.string(), count, avg_ms: ms, p95_ms: ms }),
  ),
});

const createSeriesSchema = <Metric extends string, Shape extends z.ZodRawShape>(
  metric: Metric,
  shape: Shape,
) =>
  z.object({
    ok,
    metric: z.literal(metric),
    granularity_seconds: count,
    data: z.array(z.object({ timestamp, ...shape })),
  });

export const timeseriesShape = z.union([
  createSeriesSchema("alerts_count", { total: count, ...severities }),
  createSeriesSchema("response_time", {
    count,
    avg_ms: ms.nullable(),
    p95_ms: ms.nullable(),
    max_ms: ms.nullable(),
  }),
  createSeriesSchema("error_rate", { count, errors: count, error_rate: z.number().min(0).max(1).nullable() }),
]);

export const replayShape = z.object({
  ok,
  window,
  counts: z.object({ total: count, ...severities }),
  events: z.array(event),
  next_cursor: z.string().nullable(),
});

export const exportShape = z.object({
  ok,
  exported_at: timestamp,
  window,
  alerts: z.array(z.object(alert)),
  events: z.array(event),
});
