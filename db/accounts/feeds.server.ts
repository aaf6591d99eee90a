import { ObjectId } from "mongodb";
import { digestSecret } from "#db/accounts/digest-secret.ts";
import type { FeedDoc } from "#db/accounts/documents.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { type CredentialOwner, hasSameEpoch } from "#domain/accounts/credential.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { isFeedSecret } from "#domain/reminders/reminder-feed.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

export type FeedAddress = { id: string; made_at: Date; last_read_at: Date | null };

/**
 * Creates the address or replaces it; the old one stops working. An address of a newer epoch is not replaced, because the
 * person of the older epoch is no longer logged in.
 */
export async function createOrReplaceFeed(
  db: Db,
  { id: ownerId, credential_epoch: epoch }: CredentialOwner,
  now: Date,
): Promise<{ secret: string } | Refusal> {
  const secret = generateToken();
  const write = { $set: { digest: digestSecret(secret), made_at: now, last_read_at: null, epoch } };
  const older = { user_id: ownerId, epoch: { $not: { $gt: epoch } } };
  const upsert = () =>
    skipDuplicate(db.feeds.findOneAndUpdate(older, write, { upsert: true, returnDocument: "after" }));
  // If two requests create the first address at once, the unique index lets one insert, and the other replaces it.
  const doc = (await upsert()) ?? (await upsert());
  if (!doc) return Refusal("auth_required");
  db.emit("feed_address_made", { resource: { type: "feed", id: doc._id.toHexString() } });
  return { secret };
}

export async function findFeed(db: Db, owner: CredentialOwner): Promise<FeedAddress | null> {
  const doc = await db.feeds.findOne({ user_id: owner.id });
  return doc && hasSameEpoch(doc, owner) ? toFeedAddress(doc) : null;
}

/** Removes the address, with an id only that one. */
export async function removeFeed(db: Db, ownerId: string, feedId?: string): Promise<boolean> {
  if (feedId !== undefined && !isOpaqueId(feedId)) return false;
  const idFilter = feedId === undefined ? {} : { _id: new ObjectId(feedId) };
  const doc = await db.feeds.findOneAndDelete({ user_id: ownerId, ...idFilter });
  if (doc) db.emit("feed_address_revoked", { resource: { type: "feed", id: doc._id.toHexString() } });
  return doc !== null;
}

/** Returns the owner of a valid address. Uses are recorded at most once a minute. */
export async function authenticateFeed(
  db: Db,
  secret: string,
  now: Date,
): Promise<{ user: User; feed: FeedAddress } | Refusal | null> {
  if (!isFeedSecret(secret)) return null;
  const doc = await db.feeds.findOne({ digest: digestSecret(secret) });
  const user = doc && (await db.users.findOne({ _id: doc.user_id }));
  if (!user || user.leaving_at || !hasSameEpoch(doc, user)) return null;
  if (user.locked_at) return Refusal("account_locked");
  const readAgoMs = now.getTime() - (doc.last_read_at?.getTime() ?? 0);
  if (readAgoMs >= MINUTE_MS)
    await db.feeds.updateOne({ _id: doc._id, digest: doc.digest }, { $max: { last_read_at: now } });
  return { user: toUser(user), feed: toFeedAddress(doc) };
}

const toFeedAddress = ({ _id, made_at, last_read_at }: FeedDoc): FeedAddress => ({
  id: _id.toHexString(),
  made_at,
  last_read_at,
});
