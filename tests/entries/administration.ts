import { ANNOUNCEMENT_MAX } from "#domain/accounts/announcement.ts";
import { ALERTS_TOKEN, defineEntries, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const ADMINISTRATION_API = defineEntries({
  // Accepts callers with its own token; none is configured here.
  "POST /api/alerts/webhook": {
    door: "anyone",
    json: () => ({ version: "4", alerts: [] }),
    credentials: { Authorization: `Bearer ${ALERTS_TOKEN}` },
    ok: 503,
    takes: { version: WORD },
  },
  "GET /api/jobs": { door: "admin", without: SHORT },
  "GET /api/jobs/runs": { door: "admin", without: SHORT },
  "GET /api/jobs/runs/:run_id": { door: "admin", needs: "run", without: SHORT },
  "POST /api/jobs/runs/:run_id/retry": { door: "admin", needs: "run", ok: 409, without: NOTHING },
  "POST /api/jobs/runs/:run_id/dismiss": { door: "admin", needs: "run", ok: 409, without: NOTHING },
  "POST /api/jobs/runs/:run_id/restore": { door: "admin", needs: "run", ok: 409, without: NOTHING },
  "POST /api/jobs/:job_id/trigger": { door: "admin", needs: "run", ok: 202, without: NOTHING },
  "GET /api/indexes": { door: "admin", without: SHORT },
  "GET /api/observability/alerts": {
    door: "admin",
    takes: { search: 200, timerange: WORD, start_time: WORD, cursor: WORD },
  },
  "GET /api/observability/aggregations": { door: "admin", takes: { timerange: WORD } },
  "GET /api/observability/timeseries": {
    door: "admin",
    query: "?metric=alerts_count",
    takes: { granularity: WORD, metric: WORD },
  },
  "GET /api/observability/replay": { door: "admin", takes: { event: WORD, cursor: WORD } },
  "GET /api/observability/export": { door: "admin", takes: { format: WORD, end_time: WORD } },
  "POST /api/observability/quickfix/track": {
    door: "admin",
    json: () => ({}),
    ok: 400,
    takes: { action_id: WORD, alert_uid: WORD },
  },
  "POST /api/observability/alerts/:alert_uid/ack": { door: "admin", needs: "alert", without: NOTHING },
  "POST /api/observability/alerts/:alert_uid/mute": {
    door: "admin",
    needs: "alert",
    json: () => ({}),
    mayBeEmpty: true,
    without: SHORT,
  },
  "POST /api/observability/alerts/ai_explain": {
    door: "admin",
    json: () => ({}),
    ok: 400,
    takes: { alert_uid: WORD, alert: 2_000 },
  },
});

export const ADMINISTRATION_PAGES = defineEntries({
  "GET /admin": { door: "admin", takes: { sort: WORD } },
  "GET /admin/jobs": { door: "admin", without: SHORT },
  "POST /admin/jobs": {
    door: "admin",
    form: () => ({ intent: "enable", job_id: "trash_check" }),
    ok: 303,
    takes: { intent: WORD, job_id: WORD, run_id: WORD },
  },
  "GET /admin/jobs/runs/:run_id": { door: "admin", needs: "run", without: SHORT },
  "POST /admin/jobs/runs/:run_id": {
    door: "admin",
    needs: "run",
    form: () => ({ intent: "retry" }),
    ok: 409,
    takes: { intent: WORD },
  },
  "GET /admin/users": { door: "admin", takes: { q: WORD, after: WORD } },
  "POST /admin/users": { door: "admin", form: () => ({}), ok: 400, takes: { intent: WORD, user_id: WORD } },
  "GET /admin/announcements": { door: "admin", without: SHORT },
  "POST /admin/announcements": {
    door: "admin",
    form: () => ({}),
    ok: 400,
    takes: { text: ANNOUNCEMENT_MAX, link: URL_LENGTH },
  },
  "GET /admin/observability": { door: "admin", takes: { search: 200, timerange: WORD } },
  "POST /admin/observability": {
    door: "admin",
    form: () => ({}),
    ok: 400,
    takes: { alert_uid: WORD, action_id: WORD },
  },
  "GET /admin/verify-indexes": { door: "admin", without: SHORT },
  "POST /admin/verify-indexes": { door: "admin", form: () => ({}), ok: 303, without: NOTHING },
});
