import { z } from "zod";
import { isNamingField, type NamingField } from "#domain/events/event-resource.ts";
import type { Severity } from "#domain/events/severity.ts";

/**
 * The catalogue of operational events. Other names do not compile, and fields outside an event's schema are not stored. Events
 * carry ids, counts and codes, never names, contents, endpoints or tokens.
 */
type EventSpec = { severity: Severity; msg_he: string; fields: z.ZodObject; perMinute?: number };

const resource = z.strictObject({ type: z.string().max(40), id: z.string().max(200) });

type Resource = typeof resource;
type WithResource<Shape> = Shape & {
  resource: keyof Shape & NamingField extends never ? Resource : z.ZodOptional<Resource>;
};

/** Defines an event with a subject. `resource` is required unless one of its own fields names the subject. */
function event<Shape extends z.ZodRawShape>(severity: Severity, msg_he: string, shape: Shape) {
  const isNamed = Object.keys(shape).some(isNamingField);
  // The type computes the same from the names of the fields.
  const fields = { ...shape, resource: isNamed ? resource.optional() : resource } as WithResource<Shape>;
  return { severity, msg_he, fields: z.strictObject(fields) };
}

/** Defines an event that may have no subject. */
function generalEvent<Shape extends z.ZodRawShape>(severity: Severity, msg_he: string, shape: Shape) {
  return { severity, msg_he, fields: z.strictObject({ ...shape, resource: resource.optional() }) };
}

const count = z.number().int().min(0);

/** Strangers can cause such events: more of a name in a minute are counted but not stored. */
export const STRANGERS_EVENTS_PER_MINUTE = 10;

/** Defines an event that anybody can cause by a request. `suppressed` counts the ones not stored since the last stored one. */
function strangersEvent<Shape extends z.ZodRawShape>(severity: Severity, msg_he: string, shape: Shape) {
  const fields = { ...shape, suppressed: count.optional() };
  return { ...generalEvent(severity, msg_he, fields), perMinute: STRANGERS_EVENTS_PER_MINUTE };
}

const code = z.string().max(120);
const id = z.string().max(120);
const ms = z.number().min(0);
const error = z.string().max(500);
const repo = z.string().max(300).nullable();
const endpoint_hash = z.string().max(64);
const run = { job_id: id, run_id: id };

export const EVENTS = {
  // Code hosting
  codehost_rate_limit_check: event("info", "נבדקה מכסת הבקשות בשירות אחסון הקוד", {
    remaining: count.optional(),
  }),
  codehost_upload_start: event("info", "התחילה העלאה לשירות אחסון הקוד", { repo: repo.optional() }),
  codehost_upload_saved_error: event("error", "שגיאה בהעלאת קובץ שמור", { repo: repo.optional(), error }),
  codehost_upload_direct_error: event("error", "שגיאה בהעלאה ישירה", { repo: repo.optional(), error }),
  codehost_import_repo_error: event("error", "שגיאה בייבוא מאגר", { repo: repo.optional(), error }),
  codehost_sync: event("info", "הסנכרון עם שירות אחסון הקוד הושלם", {
    repo: repo.optional(),
    count: count.optional(),
  }),

  // Database
  db_get_latest_version_error: event("error", "שגיאה בקריאת הגרסה האחרונה", { error }),
  db_save_code_snippet_error: event("error", "שגיאה בשמירת קטע קוד", { error }),
  db_delete_file_error: event("error", "שגיאה במחיקת קובץ", { error }),
  search_index_error: event("error", "שגיאה בעדכון מפתח החיפוש", { error }),
  db_index_create_error: event("error", "יצירת אינדקס נכשלה", { collection: code, index: code, error }),
  db_recycle_bin_ttl_index_missing: event("error", "אינדקס התפוגה של האשפה חסר או שונה", {
    state: code,
  }),

  // Web and share
  internal_web_started: generalEvent("info", "שירות הווב עלה", { port: count, ms }),
  internal_worker_started: event("info", "תהליך הרקע עלה", { worker_id: id, jobs: count }),
  request_failed: strangersEvent("error", "בקשה נכשלה", { method: code, code, error }),
  share_view_error: strangersEvent("error", "שגיאה בפתיחת קישור", { share_id: id, error }),
  share_view_not_found: strangersEvent("warn", "הקישור לא נמצא", { share_id: id }),

  share_created: event("info", "נוצר קישור", { kind: code, mode: code, count }),
  share_revoked: event("info", "קישור בוטל", {}),

  // Sign-in
  auth_refused: strangersEvent("warn", "ניסיון כניסה נדחה", { reason: code }),
  token_created: event("info", "נוצר אסימון גישה אישי", { scope: code }),
  token_revoked: event("info", "אסימון גישה אישי בוטל", {}),
  feed_address_made: event("info", "נוצרה כתובת לקריאת תזכורות", {}),
  feed_address_revoked: event("info", "כתובת לקריאת תזכורות בוטלה", {}),
  sessions_revoked: event("info", "ההתחברויות האחרות של המשתמש בוטלו", { count }),
  credentials_revoked: event("info", "כל אמצעי הגישה של חשבון בוטלו", {}),
  identity_joined: event("info", "דרך כניסה נוספה לחשבון", { kind: code }),
  invitation_created: event("info", "נוצרה הזמנה לחשבון", { role: code }),
  join_requested: event("info", "בקשה להצטרף", {}),
  join_request_answered: event("info", "בקשה להצטרף נענתה", { answer: code }),
  identity_parted: event("info", "דרך כניסה הוסרה מחשבון", { kind: code }),
  share_keys_revoked: event("info", "סיסמת קישור תידרש שוב מכולם", {}),

  account_locked: event("warn", "חשבון ננעל", {}),
  account_unlocked: event("info", "נעילה של חשבון הוסרה", {}),
  account_deleted: generalEvent("info", "חשבון וכל תוכנו נמחקו", {}),
  library_imported: event("info", "ספרייה יובאה מקובץ zip", { files: count, notes: count, ms }),
  library_import_refused: event("warn", "קובץ zip לייבוא נדחה", { reason: code }),
  library_import_failed: event("error", "ייבוא ספרייה לא הושלם", { reason: code }),
  user_role_set: event("info", "תפקיד של משתמש נקבע", { role: code }),

  // Announcements
  announcement_activated: event("info", "הודעה לכל המשתמשים הופעלה", {}),

  // Alerts
  alert_received: event("anomaly", "התקבלה התרעה", { alert_uid: id, name: code, status: code }),
  alert_raised: event("anomaly", "כלל פנימי העלה התרעה", { alert_uid: id, name: code }),
  alert_ended: event("info", "התרעה פנימית הסתיימה", { alert_uid: id, name: code }),
  events_dropped: generalEvent("error", "אירועים אבדו כי מסד הנתונים לא היה זמין", { count }),
  alerts_parse_error: strangersEvent("error", "פענוח ההתרעה נכשל", { error }),

  // Web push: subscriptions
  push_subscribed: event("info", "דפדפן נרשם להתראות", { endpoint_hash }),
  push_unsubscribed: event("info", "דפדפן הוסר מהתראות", { endpoint_hash }),
  push_subscriptions_cleanup: generalEvent("info", "נוקו רישומים ישנים להתראות", { count }),
  push_subscriptions_delete_all: event("info", "כל הרישומים להתראות נמחקו", { count }),
  push_deleted_dead_endpoints: event("info", "הוסרו רישומים שאינם פעילים עוד", { count }),
  sw_push_report: event("info", "דיווח מהדפדפן על טיפול בהתראה", { step: code, status: code.optional() }),

  // Web push: reminders
  push_send_attempt: event("info", "ניסיון לשלוח תזכורת", { attempt: count }),
  push_send_error: event("error", "שליחת התזכורת נכשלה", { endpoint_hash, status: count.optional(), error }),
  push_send_no_subscriptions: event("info", "אין למשתמש דפדפן רשום", {}),
  push_send_missing_vapid_private: event("error", "חסר מפתח VAPID פרטי", {}),

  // Web push: events recorded by the agent-tool service
  push_event_send_attempt: event("info", "ניסיון לשלוח אירוע", { attempt: count }),
  push_event_unknown_kind: event("warn", "סוג אירוע לא מוכר; לא יישלח", { kind: code }),
  push_event_delivery_exhausted: event("error", "מוצו ניסיונות המסירה", { attempts: count }),

  // Web push: manual test
  push_test_result: event("info", "תוצאת בדיקת התראה", { sent: count, errors: count }),
  push_test_local_error: event("error", "בדיקת התראה מקומית נכשלה", { error }),
  push_test_worker_error: event("error", "בדיקת התראה דרך תהליך הרקע נכשלה", { error }),

  // Jobs
  job_started: event("info", "הרצת משימה התחילה", { ...run, trigger: code }),
  job_completed: event("info", "הרצת משימה הסתיימה בהצלחה", { ...run, ms }),
  job_failed: event("error", "הרצת משימה נכשלה", {
    ...run,
    ms,
    error,
    reason: code.optional(),
  }),
  job_skipped: event("info", "הרצת משימה דולגה", { ...run, reason: z.enum(["disabled", "already_running"]) }),
  job_stuck: event("anomaly", "הרצת משימה נתקעה", { ...run, reason: code, ms }),
  job_runs_reconciled: generalEvent("warn", "הרצות של תהליכים שנעצרו נסגרו", {
    count,
    skipped: count,
    truncated: z.boolean(),
    job_ids_sample: z.array(id).max(20),
  }),
  jobs_orphan_reconcile_skipped: generalEvent("warn", "סגירת הרצות של תהליכים שנעצרו לא בוצעה", {
    reason: z.enum(["no_lock", "no_db"]),
  }),
  jobs_orphan_reconcile_timed_out: generalEvent("error", "סגירת הרצות של תהליכים שנעצרו נקטעה בגלל הזמן", {
    count,
    timeout_seconds: count,
  }),
  jobs_orphan_reconcile_failed: generalEvent("error", "סגירת הרצות של תהליכים שנעצרו נכשלה", { error }),
  job_run_reconcile_skipped: event("info", "הרצה לא נסגרה כי מצבה השתנה", run),

  // Repository analysis
  repo_analysis_start: event("info", "התחיל ניתוח מאגר", { repo: repo.optional() }),
  repo_analysis_parsed: event("info", "המאגר פוענח", { repo: repo.optional(), count: count.optional() }),
  repo_analysis_done: event("info", "ניתוח המאגר הסתיים", { repo: repo.optional(), ms: ms.optional() }),
  repo_analysis_error: event("error", "ניתוח המאגר נכשל", { repo: repo.optional(), error }),

  // Business
  business_metric: generalEvent("info", "נרשם שימוש", {
    metric: z.enum(["login", "file_saved", "search", "codehost_sync"]),
    value: z.number().optional(),
  }),
} as const satisfies Record<string, EventSpec>;

export type EventName = keyof typeof EVENTS;
type EventFields<Name extends EventName> = z.input<(typeof EVENTS)[Name]["fields"]>;

/** Announces an event. It never throws and never makes its caller wait. */
export type Emit = <Name extends EventName>(name: Name, fields: EventFields<Name>) => void;
