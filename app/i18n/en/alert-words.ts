import { codeIn, durationIn, nameIn, numberIn, percentIn } from "#app/i18n/alert-values.ts";
import { amount } from "#app/i18n/amount.ts";
import { jobs } from "#app/i18n/en/jobs.ts";
import { syncErrors } from "#app/i18n/en/repo-refusals.ts";
import type { AlertMetadata, AlertRule } from "#domain/alerts/alert.ts";
import { LOOK_BACK_MINUTES } from "#domain/alerts/alert-rules.ts";

export type AlertWording = { title: string; says(values: AlertMetadata): string };

const reasons: Partial<Record<string, string>> = { ...jobs.reasons, ...syncErrors };
const withReason = (said: string, reason: AlertMetadata[string] | undefined) => {
  const why = reasons[String(reason)];
  return why ? `${said}: ${why}` : said;
};
const jobName = (id: AlertMetadata[string] | undefined) => nameIn(id, jobs.names);

export const alertWords: Record<AlertRule, AlertWording> = {
  high_error_rate: {
    title: "High error rate",
    says: ({ error_rate, count }) =>
      `${percentIn(error_rate)} of ${amount(numberIn(count))} requests failed in ${LOOK_BACK_MINUTES} minutes`,
  },
  slow_endpoint: {
    title: "Slow endpoint",
    says: ({ method, endpoint, p95_ms }) =>
      `${codeIn(`${method} ${endpoint}`)}: p95 is ${durationIn("en", p95_ms)}`,
  },
  job_failed: {
    title: "Job failed",
    says: ({ job_id, reason }) => withReason(`“${jobName(job_id)}” failed`, reason),
  },
  job_stuck: { title: "Job stuck", says: ({ job_id }) => `“${jobName(job_id)}” is stuck` },
  ttl_index_missing: {
    title: "Trash is not emptied",
    says: () => "The index that empties the trash is missing or different",
  },
  push_exhausted: {
    title: "Notification not delivered",
    says: () => "A notification failed on every attempt",
  },
  events_dropped: {
    title: "Events lost",
    says: () => "Events were lost because the database was unavailable",
  },
  backup_late: { title: "Backup late", says: () => "No new backup was made in time" },
};
