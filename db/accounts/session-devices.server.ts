import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";

/**
 * A browser that subscribed within a session gets notifications only while that session lasts. A device subscribed by a token
 * has no session and stays until it is removed or all credentials of the account end.
 */
export const sessionKey = (sessionId: string) =>
  createHash("sha256").update(sessionId).digest("hex").slice(0, 24);

type EndedSessions = { sessionId: string } | { exceptSessionId: string };

function toKeyFilter(ended: EndedSessions) {
  if ("sessionId" in ended) return sessionKey(ended.sessionId);
  return { $gt: "", $ne: sessionKey(ended.exceptSessionId) };
}

export async function removeDevicesOfSessions(db: Db, ownerId: string, ended: EndedSessions): Promise<void> {
  const filter = { user_id: ownerId, session_key: toKeyFilter(ended) };
  const devices = await db.push_subscriptions.find(filter).toArray();
  for (const { _id, endpoint_hash } of devices) {
    const { deletedCount } = await db.push_subscriptions.deleteOne({ _id, ...filter });
    if (deletedCount > 0) db.emit("push_unsubscribed", { endpoint_hash });
  }
}

/** After a new login in the same browser, its subscription continues. */
export async function moveDevicesToSession(
  db: Db,
  ownerId: string,
  fromId: string,
  toId: string,
): Promise<void> {
  await db.push_subscriptions.updateMany(
    { user_id: ownerId, session_key: sessionKey(fromId) },
    { $set: { session_key: sessionKey(toId) } },
  );
}

export async function hasSession(db: Db, ownerId: string, sessionId: string): Promise<boolean> {
  return (await db.users.countDocuments({ _id: ownerId, "sessions.id": sessionId }, { limit: 1 })) === 1;
}
