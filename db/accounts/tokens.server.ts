import { ObjectId } from "mongodb";
import { toOlderEpochFilter } from "#db/accounts/account-state.server.ts";
import { digestSecret } from "#db/accounts/digest-secret.ts";
import type { TokenDoc } from "#db/accounts/documents.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { isTokenShaped, TOKEN_PREFIX, TOKENS_MAX, type TokenScope } from "#domain/accounts/access-token.ts";
import { type CredentialOwner, hasSameEpoch } from "#domain/accounts/credential.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

export type AccessToken = Omit<TokenDoc, "_id" | "user_id" | "slot" | "digest" | "epoch"> & { id: string };
type NewToken = { name: string; scope: TokenScope; lifetimeDays: number | null };

const ENDING_LENGTH = 4;

/** Takes the first free slot of the person. The unique index on slots enforces the limit for any number of requests at once. */
export async function createToken(
  db: Db,
  { id: ownerId, credential_epoch: epoch }: CredentialOwner,
  { name, scope, lifetimeDays }: NewToken,
  now: Date,
): Promise<{ token: AccessToken; secret: string } | Refusal> {
  const secret = TOKEN_PREFIX + generateToken();
  const fields = {
    user_id: ownerId,
    digest: digestSecret(secret),
    ending: secret.slice(-ENDING_LENGTH),
    name,
    scope,
    created_at: now,
    expires_at: lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * DAY_MS),
    last_used_at: null,
    epoch,
  };
  const outdated = { $or: [{ expires_at: { $lte: now } }, toOlderEpochFilter(epoch)] };
  await db.tokens.deleteMany({ user_id: ownerId, ...outdated });
  for (let slot = 0; slot < TOKENS_MAX; slot += 1) {
    const doc: TokenDoc = { _id: new ObjectId(), slot, ...fields };
    if (!(await skipDuplicate(db.tokens.insertOne(doc)))) continue;
    db.emit("token_created", { scope, resource: { type: "token", id: doc._id.toHexString() } });
    return { token: toToken(doc), secret };
  }
  return Refusal("token_limit", { max: TOKENS_MAX });
}

export async function listTokens(db: Db, owner: CredentialOwner): Promise<AccessToken[]> {
  const docs = await db.tokens.find({ user_id: owner.id }).sort({ created_at: -1, _id: -1 }).toArray();
  return docs.filter((token) => hasSameEpoch(token, owner)).map(toToken);
}

export async function removeToken(db: Db, ownerId: string, tokenId: string): Promise<boolean> {
  if (!isOpaqueId(tokenId)) return false;
  const { deletedCount } = await db.tokens.deleteOne({ _id: new ObjectId(tokenId), user_id: ownerId });
  if (deletedCount > 0) db.emit("token_revoked", { resource: { type: "token", id: tokenId } });
  return deletedCount > 0;
}

/**
 * Returns the owner and scope of a valid token. Uses are recorded at most once a minute. The likely owner is read together with
 * the token, which saves a round trip.
 */
export async function authenticateToken(
  db: Db,
  secret: string,
  now: Date,
  likelyOwnerId: string | null = null,
): Promise<{ user: User; scope: TokenScope } | Refusal | null> {
  if (!isTokenShaped(secret)) return null;
  const [token, likelyOwner] = await Promise.all([
    db.tokens.findOne({ digest: digestSecret(secret) }),
    likelyOwnerId === null ? null : db.users.findOne({ _id: likelyOwnerId }),
  ]);
  if (!token || (token.expires_at && token.expires_at <= now)) return null;
  const isOwner = likelyOwner?._id === token.user_id;
  const user = isOwner ? likelyOwner : await db.users.findOne({ _id: token.user_id });
  if (!user || user.leaving_at || !hasSameEpoch(token, user)) return null;
  if (user.locked_at) return Refusal("account_locked");
  const usedAgoMs = now.getTime() - (token.last_used_at?.getTime() ?? 0);
  if (usedAgoMs >= MINUTE_MS && !db.writing.isPaused())
    await db.tokens.updateOne({ _id: token._id }, { $max: { last_used_at: now } });
  return { user: toUser(user), scope: token.scope };
}

function toToken({ _id, user_id: _u, slot: _s, digest: _d, epoch: _e, ...token }: TokenDoc): AccessToken {
  return { id: _id.toHexString(), ...token };
}
