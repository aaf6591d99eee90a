import { codeIn, millisecondsIn, numberIn, percentIn } from "#app/i18n/alert-values.ts";
import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/alert-words.ts";
import { LOOK_BACK_MINUTES } from "#domain/alerts/alert-rules.ts";

export const alertWords: typeof english.alertWords = {
  high_error_rate: {
    title: "בקשות רבות נכשלות",
    says: ({ error_rate, count }) =>
      `${percentIn(error_rate)} מתוך ${amount(numberIn(count))} בקשות נכשלו בתוך ${LOOK_BACK_MINUTES} דקות`,
  },
  slow_endpoint: {
    title: "דף אחד איטי",
    says: ({ method, endpoint, p95_ms }) =>
      `${codeIn(`${method} ${endpoint}`)}: אחת מכל עשרים בקשות נמשכת ${millisecondsIn(p95_ms)} או יותר`,
  },
  job_failed: { title: "משימה נכשלה", says: ({ job_id }) => `המשימה ${codeIn(job_id)} נכשלה` },
  job_stuck: { title: "משימה נתקעה", says: ({ job_id }) => `המשימה ${codeIn(job_id)} תקועה` },
  ttl_index_missing: {
    title: "סל המיחזור אינו מתרוקן מעצמו",
    says: () => "האינדקס שמרוקן את סל המיחזור אינו כנדרש",
  },
  push_exhausted: {
    title: "הודעה לא נמסרה",
    says: () => "הודעה לא נמסרה גם בניסיון האחרון, ולא תישלח שוב",
  },
  events_dropped: {
    title: "אירועים אבדו",
    says: () => "אירועים אבדו כי מסד המסמכים נעדר זמן רב מדי",
  },
};
