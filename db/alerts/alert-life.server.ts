import { findAlert, makeAlarmKey, toAlert } from "#db/alerts/alerts.server.ts";
import type { Db } from "#db/client.ts";
import { type Alert, COOLDOWN_MINUTES, isAlertRule } from "#domain/alerts/alert.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

const FIRING_LISTED = 200;

/** What lasts now, whenever it began, the newest first. */
export async function listFiring(db: Db, limit = FIRING_LISTED): Promise<Alert[]> {
  const docs = await db.alerts
    .find({ status: "firing" }, { hint: "firing" })
    .sort({ timestamp: -1, _id: -1 })
    .limit(limit)
    .toArray();
  return docs.map(toAlert);
}

/** How many alerts wait for somebody: they last, and nobody has acknowledged or muted them. */
export async function countUnattended(db: Db, now: Date): Promise<number> {
  const firing = await listFiring(db);
  return firing.filter((alert) => !alert.acked_at && !isMuted(alert, now)).length;
}

const isMuted = ({ muted_until }: Alert, now: Date) => muted_until !== undefined && muted_until > now;

/** Ends an alert of our own that has not been seen since it was read. The next alarm of its subject is a new alert. */
export async function endAlert(db: Db, alert: Alert, now: Date): Promise<boolean> {
  const { alert_uid, name, last_seen_at } = alert;
  // First, because an alert that has ended is not looked at again.
  if (!isMuted(alert, now)) await db.alert_cooldowns.deleteOne({ _id: readAlarmKey(alert), alert_uid });
  const ended = await db.alerts.updateOne(
    { _id: alert_uid, status: "firing", last_seen_at },
    { $set: { status: "resolved", ended_at: now } },
  );
  if (ended.modifiedCount === 0) return false;
  db.emit("alert_ended", { alert_uid, name, resource: { type: "alert", id: alert_uid } });
  return true;
}

/** Says that somebody looks after it. Whoever was first stays. */
export async function acknowledgeAlert(db: Db, alertUid: string, now: Date): Promise<Alert | null> {
  await db.alerts.updateOne({ _id: alertUid, acked_at: { $exists: false } }, { $set: { acked_at: now } });
  return findAlert(db, alertUid);
}

/** Until then it counts for nobody, and further alarms of its subject are only counted on it. */
export async function muteAlert(db: Db, alertUid: string, until: Date): Promise<Alert | null> {
  await db.alerts.updateOne({ _id: alertUid }, { $set: { muted_until: until } });
  const alert = await findAlert(db, alertUid);
  if (alert?.source !== "internal" || !isAlertRule(alert.name)) return alert;
  // The pause between two alerts of one subject ends with the mute.
  const raised_at = new Date(until.getTime() - COOLDOWN_MINUTES[alert.name] * MINUTE_MS);
  await db.alert_cooldowns.updateOne(
    { _id: readAlarmKey(alert) },
    { $set: { raised_at, alert_uid: alertUid } },
    { upsert: true },
  );
  return alert;
}

const readAlarmKey = ({ name, metadata }: Alert) => makeAlarmKey(name, String(metadata.subject ?? ""));
