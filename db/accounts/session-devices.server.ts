import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";

/**
 * A browser that was subscribed inside a session is notified while that session lasts: after a log-out it gets
 * no more notifications. A device that was subscribed by a token has no session and stays until it is taken away itself, or until
 * every credential of the account is ended.
 */
export const sessionKey = (sessionId: string) =>
  createHash("sha256").update(sessionId).digest("hex").slice(0, 24);

/** Which sessions have ended: one, or all but one. */
type EndedSessions = { sessionId: string } | { exceptSessionId: string };

function deviceKeys(ended: EndedSessions) {
  if ("sessionId" in ended) return sessionKey(ended.sessionId);
  return { $gt: "", $ne: sessionKey(ended.exceptSessionId) };
}

export async function removeDevicesOfSessions(db: Db, ownerId: string, ended: EndedSessions): Promise<void> {
  const theirs = { user_id: ownerId, session_key: deviceKeys(ended) };
  const devices = await db.push_subscriptions.find(theirs).toArray();
  for (const { _id, endpoint_hash } of devices) {
    const { deletedCount } = await db.push_subscriptions.deleteOne({ _id, ...theirs });
    if (deletedCount > 0) db.emit("push_unsubscribed", { endpoint_hash });
  }
}

/** Logging in again in the same browser goes on with what it was subscribed to. */
export async function moveDevices(db: Db, ownerId: string, fromId: string, toId: string): Promise<void> {
  await db.push_subscriptions.updateMany(
    { user_id: ownerId, session_key: sessionKey(fromId) },
    { $set: { session_key: sessionKey(toId) } },
  );
}

export async function isSession(db: Db, ownerId: string, sessionId: string): Promise<boolean> {
  return (await db.users.countDocuments({ _id: ownerId, "sessions.id": sessionId }, { limit: 1 })) === 1;
}
