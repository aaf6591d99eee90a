import type { Db } from "#db/client.ts";
import { DAY_MS } from "#platform/clock.ts";
import { newToken } from "#platform/ids.ts";

/** A sign-in that is still good. The cookie only names it: removing the record ends the session wherever the cookie is. */
export type SessionDoc = {
  _id: string;
  user_id: string;
  created_at: Date;
  renewed_at: Date;
  expires_at: Date;
};

export type Session = { id: string; user_id: string; renewed_at: Date };

export const SESSION_LIFETIME_MS = 30 * DAY_MS;

const expiryFrom = (now: Date) => new Date(now.getTime() + SESSION_LIFETIME_MS);

export async function createSession(db: Db, userId: string, now: Date): Promise<Session> {
  const id = newToken(24);
  const doc = { _id: id, user_id: userId, created_at: now, renewed_at: now, expires_at: expiryFrom(now) };
  await db.sessions.insertOne(doc);
  return { id, user_id: userId, renewed_at: now };
}

export async function findSession(
  db: Db,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<Session | null> {
  const doc = await db.sessions.findOne({ _id: sessionId, user_id: userId, expires_at: { $gt: now } });
  return doc && { id: doc._id, user_id: doc.user_id, renewed_at: doc.renewed_at };
}

/** Pushes the end of a session that still stands another lifetime away; one that was revoked meanwhile stays revoked. */
export async function renewSession(db: Db, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const renewed = await db.sessions.updateOne(
    { _id: sessionId, user_id: userId },
    { $set: { renewed_at: now, expires_at: expiryFrom(now) } },
  );
  return renewed.matchedCount === 1;
}

export async function removeSession(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.sessions.deleteOne({ _id: sessionId, user_id: userId });
}

/** Logs the person out everywhere, at once. */
export async function removeSessionsOf(db: Db, userId: string): Promise<number> {
  const { deletedCount } = await db.sessions.deleteMany({ user_id: userId });
  db.emit("sessions_revoked", { count: deletedCount, resource: { type: "user", id: userId } });
  return deletedCount;
}
