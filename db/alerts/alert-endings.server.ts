import { isDeepStrictEqual } from "node:util";
import { endAlert, listFiringAlerts } from "#db/alerts/alert-life.server.ts";
import type { Db } from "#db/client.ts";
import { checkTrashExpiry } from "#db/files/trash/trash-upkeep.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { type Alert, type AlertRule, COOLDOWN_MINUTES, isAlertRule } from "#domain/alerts/alert.ts";
import { LOOK_BACK_MINUTES } from "#domain/alerts/alert-rules.ts";
import { FINAL_STATUSES } from "#domain/jobs/job-run.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

const RUNS_READ = 50;

type HasEnded = (db: Db, alert: Alert, now: Date) => Promise<boolean>;

/** The alert ends when it has not been repeated for this time; there is no other sign of its end. */
const endsAfterQuiet =
  (minutes: number): HasEnded =>
  async (_, { last_seen_at }, now) =>
    now.getTime() - last_seen_at.getTime() >= minutes * MINUTE_MS;

/** Decides when the cause of each internal alert is gone. */
const ENDINGS: Record<AlertRule, HasEnded> = {
  high_error_rate: endsAfterQuiet(LOOK_BACK_MINUTES),
  slow_endpoint: endsAfterQuiet(LOOK_BACK_MINUTES),
  job_failed: async (db, alert) => isFailedRunResolved(db, alert),
  job_stuck: async (db, { metadata }) => {
    const run = await findRun(db, String(metadata.run_id));
    return !run || FINAL_STATUSES.includes(run.status);
  },
  ttl_index_missing: async (db) => (await checkTrashExpiry(db)) === "present",
  push_exhausted: endsAfterQuiet(COOLDOWN_MINUTES.push_exhausted),
  events_dropped: endsAfterQuiet(COOLDOWN_MINUTES.events_dropped),
  backup_late: endsAfterQuiet(LOOK_BACK_MINUTES),
};

/** True if a later run of the job did the same work, or an administrator dismissed the failed run. */
async function isFailedRunResolved(db: Db, { metadata }: Alert): Promise<boolean> {
  const run = await findRun(db, String(metadata.run_id));
  if (!run || run.dismissed_at) return true;
  const runs = await listRuns(db, { job_id: run.job_id, status: "completed", limit: RUNS_READ });
  return runs.some(
    ({ created_at, payload = {} }) =>
      created_at >= run.created_at && isDeepStrictEqual(payload, run.payload ?? {}),
  );
}

/** Ends internal alerts whose cause is gone, and returns their number. Alertmanager reports the end of its own alerts. */
export async function endObsoleteAlerts(db: Db, now: Date): Promise<number> {
  let ended = 0;
  for (const alert of await listFiringAlerts(db)) {
    if (alert.source !== "internal") continue;
    const isOver = !isAlertRule(alert.name) || (await ENDINGS[alert.name](db, alert, now));
    if (isOver && (await endAlert(db, alert, now))) ended += 1;
  }
  return ended;
}
