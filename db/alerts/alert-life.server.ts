import { findAlert, makeAlarmKey, toAlert } from "#db/alerts/alerts.server.ts";
import type { Db } from "#db/client.ts";
import { type Alert, COOLDOWN_MINUTES, isAlertRule } from "#domain/alerts/alert.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

const FIRING_LISTED = 200;

/** Lists firing alerts, the newest first, independent of when they began. */
export async function listFiringAlerts(db: Db, limit = FIRING_LISTED): Promise<Alert[]> {
  const docs = await db.alerts
    .find({ status: "firing" }, { hint: "firing" })
    .sort({ timestamp: -1, _id: -1 })
    .limit(limit)
    .toArray();
  return docs.map(toAlert);
}

/** Counts the alerts that last and are neither acknowledged nor muted. */
export async function countUnattendedAlerts(db: Db, now: Date): Promise<number> {
  const firing = await listFiringAlerts(db);
  return firing.filter((alert) => !alert.acked_at && !isMuted(alert, now)).length;
}

const isMuted = ({ muted_until }: Alert, now: Date) => muted_until !== undefined && muted_until > now;

/** Ends an internal alert unless it was repeated since it was read. The next alarm of its subject becomes a new alert. */
export async function endAlert(db: Db, alert: Alert, now: Date): Promise<boolean> {
  const { alert_uid, name, last_seen_at } = alert;
  // This comes first, because an ended alert is not checked again.
  if (!isMuted(alert, now)) await db.alert_cooldowns.deleteOne({ _id: readAlarmKey(alert), alert_uid });
  const result = await db.alerts.updateOne(
    { _id: alert_uid, status: "firing", last_seen_at },
    { $set: { status: "resolved", ended_at: now } },
  );
  if (result.modifiedCount === 0) return false;
  db.emit("alert_ended", { alert_uid, name, resource: { type: "alert", id: alert_uid } });
  return true;
}

/** Records that an operator takes care of it; the first time stays. */
export async function acknowledgeAlert(db: Db, alertUid: string, now: Date): Promise<Alert | null> {
  await db.alerts.updateOne({ _id: alertUid, acked_at: { $exists: false } }, { $set: { acked_at: now } });
  return findAlert(db, alertUid);
}

/** Until then the alert is hidden, and further alarms of its subject only count as repeats. */
export async function muteAlert(db: Db, alertUid: string, until: Date): Promise<Alert | null> {
  await db.alerts.updateOne({ _id: alertUid }, { $set: { muted_until: until } });
  const alert = await findAlert(db, alertUid);
  if (alert?.source !== "internal" || !isAlertRule(alert.name)) return alert;
  // Makes the cooldown of the subject end together with the mute.
  const raised_at = new Date(until.getTime() - COOLDOWN_MINUTES[alert.name] * MINUTE_MS);
  await db.alert_cooldowns.updateOne(
    { _id: readAlarmKey(alert) },
    { $set: { raised_at, alert_uid: alertUid } },
    { upsert: true },
  );
  return alert;
}

const readAlarmKey = ({ name, metadata }: Alert) => makeAlarmKey(name, String(metadata.subject ?? ""));
