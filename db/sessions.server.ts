import type { Db } from "#db/client.ts";
import { toUser, type User } from "#db/users.server.ts";
import { DAY_MS } from "#platform/clock.ts";
import { newToken } from "#platform/ids.ts";

/**
 * A sign-in that is still good, kept in its person's own record: one read tells who it is and whether the session stands.
 * The cookie only names it; removing the entry ends the session wherever the cookie is.
 */
export type SessionEntry = { id: string; created_at: Date; renewed_at: Date; expires_at: Date };

export type Recognised = { user: User; renewed_at: Date };

export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** The newest stand; signing in once more ends the oldest. */
export const MAX_SESSIONS = 20;

const expiryFrom = (now: Date) => new Date(now.getTime() + SESSION_LIFETIME_MS);

export async function createSession(db: Db, userId: string, now: Date): Promise<SessionEntry> {
  const session = { id: newToken(24), created_at: now, renewed_at: now, expires_at: expiryFrom(now) };
  await db.users.updateOne(
    { _id: userId },
    { $push: { sessions: { $each: [session], $slice: -MAX_SESSIONS } } },
  );
  return session;
}

/** The person whose session this is, while it stands. */
export async function findBySession(
  db: Db,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<Recognised | null> {
  const doc = await db.users.findOne({
    _id: userId,
    sessions: { $elemMatch: { id: sessionId, expires_at: { $gt: now } } },
  });
  const session = doc?.sessions.find(({ id }) => id === sessionId);
  return doc && session ? { user: toUser(doc), renewed_at: session.renewed_at } : null;
}

/** Pushes the end of a session that still stands another lifetime away; one that was revoked meanwhile stays revoked. */
export async function renewSession(db: Db, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const renewed = await db.users.updateOne(
    { _id: userId, "sessions.id": sessionId },
    { $set: { "sessions.$.renewed_at": now, "sessions.$.expires_at": expiryFrom(now) } },
  );
  return renewed.matchedCount === 1;
}

export async function removeSession(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $pull: { sessions: { id: sessionId } } });
}

/** Logs the person out everywhere, at once. */
export async function removeSessionsOf(db: Db, userId: string): Promise<number> {
  const before = await db.users.findOneAndUpdate({ _id: userId }, { $set: { sessions: [] } });
  const count = before?.sessions.length ?? 0;
  db.emit("sessions_revoked", { count, resource: { type: "user", id: userId } });
  return count;
}
