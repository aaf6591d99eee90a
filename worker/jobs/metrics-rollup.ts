import { endPassedAlerts } from "#db/alerts/alert-endings.server.ts";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { sumTimingsByEndpoint } from "#db/events/request-timings.server.ts";
import type { Alarm } from "#domain/alerts/alert.ts";
import { errorRateAlarm, LOOK_BACK_MINUTES, slowEndpointAlarm } from "#domain/alerts/alert-rules.ts";
import { addDurations, noDurations } from "#domain/events/duration-histogram.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { JobHandler } from "#worker/job.ts";

/** Looks at the requests of the last minutes, of all web processes together, and raises an alert where too many fail or are slow. */
export const metricsRollup: JobHandler<"metrics_rollup"> = async ({ services: { db, clock }, writeLog }) => {
  const now = clock();
  const start = new Date(now.getTime() - LOOK_BACK_MINUTES * MINUTE_MS);
  const endpoints = await sumTimingsByEndpoint(db, { start, end: new Date(now.getTime() + 1) });
  const all = noDurations();
  for (const endpoint of endpoints) addDurations(all, endpoint);
  const alarms = [errorRateAlarm(all), ...endpoints.map(slowEndpointAlarm)].filter(
    (alarm): alarm is Alarm => alarm !== null,
  );
  writeLog(
    `Looked at ${all.count} requests to ${endpoints.length} endpoints in ${LOOK_BACK_MINUTES} minutes: ${all.errors} failed`,
  );
  let raised = 0;
  for (const alarm of alarms) {
    writeLog(alarm.summary);
    if (await raiseAlert(db, alarm, now)) raised += 1;
  }
  const ended = await endPassedAlerts(db, now);
  if (ended > 0) writeLog(`Ended ${ended} alerts whose cause is gone`);
  return { requests: all.count, errors: all.errors, alarms: alarms.length, raised, ended };
};
