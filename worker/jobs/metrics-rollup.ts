import { endObsoleteAlerts } from "#db/alerts/alert-endings.server.ts";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { listBackups } from "#db/backups/backup-files.server.ts";
import { sumTimingsByEndpoint } from "#db/events/request-timings.server.ts";
import type { Alarm } from "#domain/alerts/alert.ts";
import {
  backupLateAlarm,
  errorRateAlarm,
  LOOK_BACK_MINUTES,
  slowEndpointAlarm,
} from "#domain/alerts/alert-rules.ts";
import { isBackupLate } from "#domain/backups/backup-schedule.ts";
import { addDurations, noDurations } from "#domain/events/duration-histogram.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";
import type { BackupConfig, JobHandler } from "#worker/job.ts";

/** Checks the requests of all web processes in the last minutes and raises alerts for many failures, slow endpoints and late backups. */
export const metricsRollup: JobHandler<"metrics_rollup"> = async ({
  services: { db, clock, backups },
  report,
  writeLog,
}) => {
  const now = clock();
  const start = new Date(now.getTime() - LOOK_BACK_MINUTES * MINUTE_MS);
  const endpoints = await sumTimingsByEndpoint(db, { start, end: new Date(now.getTime() + 1) });
  const all = noDurations();
  for (const endpoint of endpoints) addDurations(all, endpoint);
  const lateBackup = backups && (await findLateBackup(backups, now));
  const alarms = [errorRateAlarm(all), ...endpoints.map(slowEndpointAlarm), lateBackup].filter(
    (alarm): alarm is Alarm => alarm !== null,
  );
  writeLog(
    `Looked at ${all.count} requests to ${endpoints.length} endpoints in ${LOOK_BACK_MINUTES} minutes: ${all.errors} failed`,
  );
  await report({ processed_items: endpoints.length, total_items: endpoints.length });
  let raised = 0;
  for (const alarm of alarms) {
    writeLog(alarm.summary);
    if (await raiseAlert(db, alarm, now)) raised += 1;
  }
  const ended = await endObsoleteAlerts(db, now);
  if (ended > 0) writeLog(`Ended ${ended} alerts whose cause is gone`);
  return { requests: all.count, errors: all.errors, alarms: alarms.length, raised, ended };
};

async function findLateBackup({ directory, since, everyMs }: BackupConfig, now: Date): Promise<Alarm | null> {
  const [newest] = await listBackups(directory);
  return isBackupLate(newest?.created_at ?? null, since, everyMs, now)
    ? backupLateAlarm(everyMs / HOUR_MS)
    : null;
}
