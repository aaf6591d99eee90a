import type { SessionEntry } from "#db/accounts/documents.ts";
import { removeDevicesOfSessions, sessionKey } from "#db/accounts/session-devices.server.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { type CredentialOwner, hasSameEpoch } from "#domain/accounts/credential.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

type RecognisedSession = { user: User; renewed_at: Date; used_at: Date };

export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** A further sign-in ends the oldest session. */
export const MAX_SESSIONS = 20;

const toExpiry = (now: Date) => new Date(now.getTime() + SESSION_LIFETIME_MS);

export async function createSession(
  db: Db,
  { id: userId, credential_epoch: epoch }: CredentialOwner,
  now: Date,
  device?: DeviceKind,
): Promise<SessionEntry> {
  const moments = { created_at: now, renewed_at: now, expires_at: toExpiry(now) };
  const session = { id: generateToken(24), ...moments, device, epoch };
  await db.users.updateOne(
    { _id: userId },
    { $push: { sessions: { $each: [session], $slice: -MAX_SESSIONS } } },
  );
  return session;
}

/** Returns the person of a valid session. Their account may be locked. */
export async function findUserBySession(
  db: Db,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<RecognisedSession | null> {
  const doc = await db.users.findOne({
    _id: userId,
    sessions: { $elemMatch: { id: sessionId, expires_at: { $gt: now } } },
  });
  const session = doc?.sessions.find(({ id }) => id === sessionId);
  return doc && session && hasSameEpoch(session, doc)
    ? { user: toUser(doc), renewed_at: session.renewed_at, used_at: getLastUse(session) }
    : null;
}

/** Extends a valid session by another lifetime; a revoked one stays revoked. */
export async function renewSession(db: Db, userId: string, sessionId: string, now: Date): Promise<boolean> {
  if (db.writing.isPaused()) return false;
  const renewed = await db.users.updateOne(
    { _id: userId, "sessions.id": sessionId },
    { $set: { "sessions.$.renewed_at": now, "sessions.$.expires_at": toExpiry(now) } },
  );
  return renewed.matchedCount === 1;
}

const getLastUse = ({ used_at, renewed_at }: SessionEntry) =>
  used_at && used_at > renewed_at ? used_at : renewed_at;

export async function recordSessionUse(db: Db, userId: string, sessionId: string, now: Date): Promise<void> {
  if (db.writing.isPaused()) return;
  await db.users.updateOne(
    { _id: userId, "sessions.id": sessionId },
    { $set: { "sessions.$.used_at": now } },
  );
}

/** A session as shown to its person. Its key is a digest, because the id is half of what opens it. */
export type ListedSession = {
  key: string;
  device: DeviceKind;
  created_at: Date;
  used_at: Date;
  is_here: boolean;
};

/** Lists valid sessions: the current one first, then by last use. */
export async function listSessions(
  db: Db,
  userId: string,
  hereId: string | null,
  now: Date,
): Promise<ListedSession[]> {
  const doc = await db.users.findOne({ _id: userId }, { projection: { sessions: 1, credential_epoch: 1 } });
  if (!doc) return [];
  return doc.sessions
    .filter((session) => session.expires_at > now && hasSameEpoch(session, doc))
    .map((session) => ({
      key: sessionKey(session.id),
      device: session.device ?? { browser: "other" as const, system: "other" as const },
      created_at: session.created_at,
      used_at: getLastUse(session),
      is_here: session.id === hereId,
    }))
    .sort((a, b) => Number(b.is_here) - Number(a.is_here) || b.used_at.getTime() - a.used_at.getTime());
}

export async function removeSessionByKey(db: Db, userId: string, key: string): Promise<boolean> {
  const doc = await db.users.findOne({ _id: userId }, { projection: { sessions: 1 } });
  const session = doc?.sessions.find(({ id }) => sessionKey(id) === key);
  if (!session) return false;
  await removeSession(db, userId, session.id);
  return true;
}

export async function removeOtherSessions(db: Db, userId: string, hereId: string): Promise<number> {
  const before = await db.users.findOneAndUpdate(
    { _id: userId },
    { $pull: { sessions: { id: { $ne: hereId } } } },
    { projection: { sessions: 1 } },
  );
  await removeDevicesOfSessions(db, userId, { exceptSessionId: hereId });
  const count = before?.sessions.filter(({ id }) => id !== hereId).length ?? 0;
  db.emit("sessions_revoked", { count, resource: { type: "user", id: userId } });
  return count;
}

export async function removeSession(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $pull: { sessions: { id: sessionId } } });
  await removeDevicesOfSessions(db, userId, { sessionId });
}
