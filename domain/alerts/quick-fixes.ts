import { type Alert, type AlertRule, isAlertRule } from "#domain/alerts/alert.ts";
import { isJobId } from "#domain/jobs/jobs.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** An operator's quick reaction to an alert. A link opens a page; an action is done by the server when the page sends its form. */
type QuickFix = {
  action_id: QuickFixId;
  kind: "link" | "action";
  href: string;
};

export const QUICK_FIX_ACTIONS = ["retry_job", "rebuild_indexes"] as const;
export type QuickFixAction = (typeof QUICK_FIX_ACTIONS)[number];
export type QuickFixId = QuickFixAction | "open_jobs" | "open_indexes" | "open_replay" | "open_runbook";

const OBSERVABILITY = "/admin/observability";
const HALF_HOUR_MS = 30 * MINUTE_MS;
/** The event list begins with its oldest event, so it starts close to the alert. */
const SHORTLY_BEFORE_MS = 2 * MINUTE_MS;

const action = (action_id: QuickFixAction): QuickFix => ({ action_id, kind: "action", href: OBSERVABILITY });
const link = (action_id: QuickFixId, href: string): QuickFix => ({ action_id, kind: "link", href });

const openJobs = ({ metadata: { run_id } }: Alert) =>
  link("open_jobs", typeof run_id === "string" && run_id ? `/admin/jobs/runs/${run_id}` : "/admin/jobs");
const retryJob = ({ metadata: { job_id } }: Alert) => (isJobId(String(job_id)) ? [action("retry_job")] : []);

const FIXES: Record<AlertRule, (alert: Alert) => QuickFix[]> = {
  high_error_rate: (alert) => [createReplayLink(alert)],
  slow_endpoint: (alert) => [createReplayLink(alert)],
  job_failed: (alert) => [...retryJob(alert), openJobs(alert), createReplayLink(alert)],
  job_stuck: (alert) => [openJobs(alert), createReplayLink(alert)],
  ttl_index_missing: (alert) => [
    action("rebuild_indexes"),
    link("open_indexes", "/admin/verify-indexes"),
    createReplayLink(alert),
  ],
  push_exhausted: (alert) => [openJobs(alert), createReplayLink(alert)],
  events_dropped: (alert) => [createReplayLink(alert)],
  backup_late: (alert) => [...retryJob(alert), openJobs(alert), createReplayLink(alert)],
};

const PROMETHEUS_FIXES: Record<string, (alert: Alert) => QuickFix> = {
  CodeshelfNoWorker: openJobs,
  CodeshelfQueueWaits: openJobs,
  CodeshelfJobsFail: openJobs,
  CodeshelfPushFails: openJobs,
  CodeshelfSandboxFails: openJobs,
  CodeshelfSlow: () => link("open_indexes", "/admin/verify-indexes"),
};

/** Shows the events of the run that the alert names, otherwise all events from shortly before the alert. */
function createReplayLink({ timestamp, metadata: { run_id } }: Alert): QuickFix {
  const isOfRun = typeof run_id === "string" && run_id !== "";
  const around = (ms: number) => new Date(timestamp.getTime() + ms).toISOString();
  const query = new URLSearchParams({
    start_time: around(isOfRun ? -HALF_HOUR_MS : -SHORTLY_BEFORE_MS),
    end_time: around(HALF_HOUR_MS),
    ...(isOfRun ? { request: run_id } : {}),
  });
  return link("open_replay", `${OBSERVABILITY}?${query}#replay`);
}

function findRunbookUrl({ metadata: { runbook_url } }: Alert): string | null {
  return typeof runbook_url === "string" && /^https?:\/\//.test(runbook_url) ? runbook_url : null;
}

export function listQuickFixes(alert: Alert): QuickFix[] {
  const runbook = findRunbookUrl(alert);
  const prometheusFix = Object.hasOwn(PROMETHEUS_FIXES, alert.name)
    ? PROMETHEUS_FIXES[alert.name]
    : undefined;
  const fixes =
    isAlertRule(alert.name) && alert.source === "internal"
      ? FIXES[alert.name](alert)
      : [...(prometheusFix ? [prometheusFix(alert)] : []), createReplayLink(alert)];
  return runbook === null ? fixes : [...fixes, link("open_runbook", runbook)];
}
