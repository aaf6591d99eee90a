import { toOlderEpochFilter } from "#db/accounts/account-state.server.ts";
import { type FeedAddress, findFeed, removeFeed } from "#db/accounts/feeds.server.ts";
import { type ListedSession, listSessions, removeSessionByKey } from "#db/accounts/sessions.server.ts";
import { type AccessToken, listTokens, removeToken } from "#db/accounts/tokens.server.ts";
import type { Db } from "#db/client.ts";
import { type Device, listDevices, removeDevice } from "#db/reminders/push/push-subscriptions.server.ts";
import { type ListedShare, listShares, revokeShareKeys } from "#db/shares/shares.server.ts";
import {
  type CredentialKind,
  type CredentialOwner,
  parseCredentialKey,
} from "#domain/accounts/credential.ts";
import { Refusal } from "#domain/refusal.ts";

export type Credentials = {
  sessions: ListedSession[];
  tokens: AccessToken[];
  feed: FeedAddress | null;
  devices: Device[];
  /** Shares with a password: visitors who entered it hold a key. */
  shares: ListedShare[];
};

export async function listCredentials(
  db: Db,
  owner: CredentialOwner,
  hereId: string | null,
  now: Date,
): Promise<Credentials> {
  const [sessions, tokens, feed, devices, shares] = await Promise.all([
    listSessions(db, owner.id, hereId, now),
    listTokens(db, owner),
    findFeed(db, owner),
    listDevices(db, owner),
    listShares(db, owner.id, now),
  ]);
  return { sessions, tokens, feed, devices, shares: shares.filter(({ password }) => password !== null) };
}

type End = (db: Db, ownerId: string, id: string) => Promise<boolean>;

const ENDS: Record<CredentialKind, End> = {
  session: removeSessionByKey,
  token: removeToken,
  feed: removeFeed,
  device: async (db, ownerId, endpoint_hash) => (await removeDevice(db, ownerId, { endpoint_hash })) > 0,
  share_password: revokeShareKeys,
};

export function endCredential(db: Db, ownerId: string, key: string): Promise<boolean> {
  const { kind, id } = parseCredentialKey(key);
  return ENDS[kind](db, ownerId, id);
}

/** Ends every session, token, feed address, device and share key of an account. The first write ends them all; the others only clean up. */
export async function endAllCredentials(db: Db, userId: string): Promise<true | Refusal> {
  const before = await db.users.findOneAndUpdate(
    { _id: userId },
    { $inc: { credential_epoch: 1 }, $set: { sessions: [] } },
    { projection: { credential_epoch: 1 } },
  );
  if (!before) return Refusal("user_not_found", { user_id: userId });
  db.emit("credentials_revoked", { resource: { type: "user", id: userId } });
  const outdated = { user_id: userId, ...toOlderEpochFilter((before.credential_epoch ?? 0) + 1) };
  await db.tokens.deleteMany(outdated);
  await db.feeds.deleteMany(outdated);
  await db.push_subscriptions.deleteMany(outdated);
  return true;
}
