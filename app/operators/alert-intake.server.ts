import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { count } from "#app/web/api/shapes.server.ts";
import { isSameText } from "#app/web/session/signed-value.ts";
import { type IncomingAlert, recordAlerts } from "#db/alerts/alerts.server.ts";
import { parseSeverityLabel } from "#domain/alerts/alert.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { parseTimestamp } from "#domain/time/timestamp.ts";

const ALERTS_MAX = 1_000;
const LABELS_MAX = 40;
const WORDS_MAX = 500;

const LABEL_NAME = /^[A-Za-z_]\w*$/;

const textMap = z.record(z.string().max(200), z.string().max(10_000));
const moment = z.string().refine((text) => parseTimestamp(text) !== null, "is not a moment");

const alert = z.looseObject({
  status: z.enum(["firing", "resolved"]),
  labels: textMap,
  annotations: textMap.default({}),
  startsAt: moment,
  endsAt: moment.optional(),
  generatorURL: z.string().max(2_000).optional(),
  fingerprint: z.string().max(100).optional(),
});

/** Alertmanager's payload, version 4. Unknown fields are ignored. The number of alerts is checked before any of them. */
const alertmanagerPayload = z.looseObject({
  version: z.literal("4"),
  alerts: z.array(z.unknown()).max(ALERTS_MAX).pipe(z.array(alert).max(ALERTS_MAX)),
});

type SentAlert = z.output<typeof alertmanagerPayload>["alerts"][number];

export const alertIntakeEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/alerts/webhook",
    gate: "public",
    summary: "Receive alerts from Alertmanager",
    body: { deferred: alertmanagerPayload },
    refuses: ["invalid_alerts_token", "alerts_not_configured"],
    returns: { 200: z.object({ status: z.literal("ok"), received: count }) },
    answer: async ({ request, services: { db, env, clock }, body }) => {
      const { alertsToken } = env;
      if (!alertsToken) return Refusal("alerts_not_configured");
      if (!isSameText(request.headers.get("Authorization") ?? "", `Bearer ${alertsToken}`))
        return Refusal("invalid_alerts_token");
      const payload = await body();
      if (isRefusal(payload)) {
        db.emit("alerts_parse_error", { error: describeWrongField(payload) });
        return payload;
      }
      await recordAlerts(db, payload.alerts.map(toIncomingAlert), clock());
      return { status: "ok", received: payload.alerts.length };
    },
  }),
];

/** Names the field with the error, never its content. */
function describeWrongField({ refused, context: { field } }: Refusal): string {
  return typeof field === "string" && /^[\w.]{1,80}$/.test(field) ? `${refused} at ${field}` : refused;
}

function toIncomingAlert({
  status,
  labels,
  annotations,
  startsAt,
  endsAt,
  fingerprint,
}: SentAlert): IncomingAlert {
  const { summary, description, runbook_url } = annotations;
  const sortedLabels = Object.entries(labels)
    .filter(([key]) => LABEL_NAME.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    fingerprint: fingerprint || JSON.stringify(sortedLabels),
    started_at: required(parseTimestamp(startsAt), "moment"),
    ended_at: status === "resolved" ? parseTimestamp(endsAt) : null,
    status,
    name: (labels.alertname || "alert").slice(0, 200),
    severity: parseSeverityLabel(labels.severity),
    summary: (summary ?? description ?? "").slice(0, WORDS_MAX),
    metadata: {
      ...Object.fromEntries(
        sortedLabels.slice(0, LABELS_MAX).map(([key, value]) => [key, value.slice(0, WORDS_MAX)]),
      ),
      ...(summary && description ? { description: description.slice(0, WORDS_MAX) } : {}),
      ...(runbook_url ? { runbook_url: runbook_url.slice(0, WORDS_MAX) } : {}),
    },
  };
}
