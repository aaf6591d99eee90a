import type { Db } from "#db/client.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import {
  SECURITY_EVENT_DAYS,
  SECURITY_EVENTS_MAX,
  type SecurityEntry,
  type SecurityEvent,
} from "#domain/accounts/security-event.ts";
import { DAY_MS } from "#domain/time/durations.ts";

const LIFETIME_MS = SECURITY_EVENT_DAYS * DAY_MS;

/** Stored apart from the person's record, which every request reads. Only the newest entries are kept. */
export async function recordSecurityEvent(
  db: Db,
  userId: string,
  event: SecurityEvent & { device: DeviceKind | null },
  now: Date,
): Promise<void> {
  const entries = { $each: [{ ...event, at: now }], $slice: -SECURITY_EVENTS_MAX };
  await db.security_logs.updateOne(
    { _id: userId },
    { $push: { entries }, $set: { expires_at: new Date(now.getTime() + LIFETIME_MS) } },
    { upsert: true },
  );
}

export async function listSecurityEvents(db: Db, userId: string, now: Date): Promise<SecurityEntry[]> {
  const doc = await db.security_logs.findOne({ _id: userId });
  const since = now.getTime() - LIFETIME_MS;
  return (doc?.entries ?? []).filter(({ at }) => at.getTime() > since).toReversed();
}
