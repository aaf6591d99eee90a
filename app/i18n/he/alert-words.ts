import { codeIn, durationIn, nameIn, numberIn, percentIn } from "#app/i18n/alert-values.ts";
import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/alert-words.ts";
import { jobs } from "#app/i18n/he/jobs.ts";
import { syncErrors } from "#app/i18n/he/repo-refusals.ts";
import type { AlertMetadata } from "#domain/alerts/alert.ts";
import { LOOK_BACK_MINUTES } from "#domain/alerts/alert-rules.ts";

const reasons: Partial<Record<string, string>> = { ...jobs.reasons, ...syncErrors };
const withReason = (said: string, reason: AlertMetadata[string] | undefined) => {
  const why = reasons[String(reason)];
  return why ? `${said}: ${why}` : said;
};
const jobName = (id: AlertMetadata[string] | undefined) => nameIn(id, jobs.names);

export const alertWords: typeof english.alertWords = {
  high_error_rate: {
    title: "שיעור שגיאות גבוה",
    says: ({ error_rate, count }) =>
      `${percentIn(error_rate)} מתוך ${amount(numberIn(count))} בקשות נכשלו ב־${LOOK_BACK_MINUTES} דקות`,
  },
  slow_endpoint: {
    title: "נקודת קצה איטית",
    says: ({ method, endpoint, p95_ms }) =>
      `${codeIn(`${method} ${endpoint}`)}: אחוזון 95 הוא ${durationIn("he", p95_ms)}`,
  },
  job_failed: {
    title: "משימה נכשלה",
    says: ({ job_id, reason }) => withReason(`״${jobName(job_id)}״ נכשלה`, reason),
  },
  job_stuck: { title: "משימה תקועה", says: ({ job_id }) => `״${jobName(job_id)}״ תקועה` },
  ttl_index_missing: { title: "האשפה אינה מתרוקנת", says: () => "האינדקס שמרוקן את האשפה חסר או שונה" },
  push_exhausted: { title: "התראה לא נמסרה", says: () => "התראה נכשלה בכל הניסיונות" },
  events_dropped: { title: "אירועים אבדו", says: () => "אירועים אבדו כי מסד הנתונים לא היה זמין" },
  backup_late: { title: "הגיבוי מאחר", says: () => "לא נוצר גיבוי חדש בזמן" },
};
