import { codeIn, millisecondsIn, numberIn, percentIn } from "#app/i18n/alert-values.ts";
import { amount } from "#app/i18n/amount.ts";
import type { AlertMetadata, AlertRule } from "#domain/alerts/alert.ts";
import { LOOK_BACK_MINUTES } from "#domain/alerts/alert-rules.ts";

/** What an alert of our own is called, and what it says by the values it carries. */
export type AlertWording = { title: string; says(values: AlertMetadata): string };

export const alertWords: Record<AlertRule, AlertWording> = {
  high_error_rate: {
    title: "Many requests fail",
    says: ({ error_rate, count }) =>
      `${percentIn(error_rate)} of ${amount(numberIn(count))} requests failed in the last ${LOOK_BACK_MINUTES} minutes`,
  },
  slow_endpoint: {
    title: "A page is slow",
    says: ({ method, endpoint, p95_ms }) =>
      `${codeIn(`${method} ${endpoint}`)}: one request in twenty takes ${millisecondsIn(p95_ms)} or more`,
  },
  job_failed: { title: "A job failed", says: ({ job_id }) => `Job ${codeIn(job_id)} failed` },
  job_stuck: { title: "A job is stuck", says: ({ job_id }) => `Job ${codeIn(job_id)} is stuck` },
  ttl_index_missing: {
    title: "The recycle bin does not empty itself",
    says: () => "The index that empties the recycle bin is not as wanted",
  },
  push_exhausted: {
    title: "A notification was given up",
    says: () => "A notification was given up after its last attempt",
  },
  events_dropped: {
    title: "Events were lost",
    says: () => "Events were lost because the store was away for too long",
  },
};
