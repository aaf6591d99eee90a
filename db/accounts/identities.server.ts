import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import type { IdentityDoc, UserDoc } from "#db/accounts/documents.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import {
  IDENTITIES_MAX,
  type IdentityKind,
  identityKind,
  identitySubject,
  listIdentityKeys,
  messengerKey,
} from "#domain/accounts/identity.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/**
 * Decides which account an identity opens. There are two documents: the account's list of keys, which decides, and the
 * identity's record, which finds the account. A record whose account does not list it is left from an interruption. It may be
 * claimed once it is so old that no process still works on it.
 */
const UNFINISHED_FOR_MS = MINUTE_MS;

export type ProvenIdentity = Pick<IdentityDoc, "label" | "passkey"> & { key: string };

/** The issuer is part of the key, because a subject is unique only for its issuer. */
export function oidcKey(issuer: string, subject: string): string {
  return `oidc:${createHash("sha256").update(`${issuer}\n${subject}`).digest("base64url")}`;
}

const listsKey = (doc: UserDoc, key: string) =>
  listIdentityKeys({ id: doc._id, identity_keys: doc.identity_keys }).includes(key);

export async function findUserByIdentity(db: Db, key: string): Promise<User | null> {
  const record = await db.identities.findOne({ _id: key });
  const holder = record && (await db.users.findOne({ _id: record.user_id }));
  if (holder && listsKey(holder, key)) return toUser(holder);
  if (identityKind(key) !== "messenger") return null;
  // Accounts made by the messenger have its ids and need no record.
  const doc = await db.users.findOne({ _id: identitySubject(key) });
  return doc && listsKey(doc, key) ? toUser(doc) : null;
}

/**
 * Reserves the id of the account that this identity will create. The id is first stored in the identity's record, so that a
 * repeated attempt after an interruption continues with it.
 */
export async function reserveUserId(
  db: Db,
  { key, label }: ProvenIdentity,
  now: Date,
): Promise<string | Refusal> {
  if (identityKind(key) === "messenger" && !(await db.users.findOne({ _id: identitySubject(key) })))
    return identitySubject(key);
  const userId = new ObjectId().toHexString();
  const record = await findOrInsert(db, {
    _id: key,
    user_id: userId,
    label,
    created_at: now,
    last_used_at: now,
  });
  if (record.user_id === userId) return userId;
  const holder = await db.users.findOne({ _id: record.user_id });
  // No account has this id yet: an earlier attempt stopped before it created the account.
  if (!holder || listsKey(holder, key)) return record.user_id;
  return (await claimUnfinishedIdentity(db, record, { user_id: userId, label }, now))
    ? userId
    : Refusal("identity_taken");
}

/** Adds an identity to an account. Refuses if it opens another account. */
export async function addIdentity(
  db: Db,
  user: User,
  identity: ProvenIdentity,
  now: Date,
): Promise<true | Refusal> {
  const { key, ...fields } = identity;
  const holder = await findUserByIdentity(db, key);
  if (holder) return holder.id === user.id ? true : Refusal("identity_taken");
  const ownership = { user_id: user.id, ...fields };
  const record = await findOrInsert(db, { _id: key, ...ownership, created_at: now, last_used_at: null });
  if (record.user_id !== user.id && !(await claimUnfinishedIdentity(db, record, ownership, now)))
    return Refusal("identity_taken");
  await db.users.updateOne(
    { _id: user.id, identity_keys: { $exists: false } },
    { $set: { identity_keys: [messengerKey(user.id)] } },
  );
  const added = await db.users.updateOne(
    { _id: user.id, [`identity_keys.${IDENTITIES_MAX - 1}`]: { $exists: false } },
    { $addToSet: { identity_keys: key } },
  );
  if (added.matchedCount === 0) return Refusal("identity_limit", { max: IDENTITIES_MAX });
  db.emit("identity_joined", { kind: identityKind(key), resource: { type: "user", id: user.id } });
  return true;
}

/** Removes an identity from an account but never the last one: the write requires another one. */
export async function removeIdentity(db: Db, userId: string, key: string): Promise<true | Refusal> {
  const hasOthers = { _id: userId, identity_keys: key, "identity_keys.1": { $exists: true } };
  // A role from the provider's groups ends with the identity that gave it.
  if (identityKind(key) === "oidc")
    await db.users.updateOne(
      { ...hasOthers, has_group_role: true },
      { $set: { role: "regular" }, $unset: { has_group_role: "" } },
    );
  const removed = await db.users.findOneAndUpdate(hasOthers, { $pull: { identity_keys: key } });
  if (!removed) {
    const doc = await db.users.findOne({ _id: userId });
    if (doc && listsKey(doc, key)) return Refusal("last_identity");
  }
  const { deletedCount } = await db.identities.deleteOne({ _id: key, user_id: userId });
  if (!removed && deletedCount === 0) return Refusal("identity_not_found");
  db.emit("identity_parted", { kind: identityKind(key), resource: { type: "user", id: userId } });
  return true;
}

type ListedIdentity = {
  key: string;
  kind: IdentityKind;
  label: string;
  created_at: Date;
  last_used_at: Date | null;
};

/** In the order in which they were joined. */
export async function listIdentities(db: Db, user: User): Promise<ListedIdentity[]> {
  const keys = listIdentityKeys(user);
  const records = await db.identities.find({ _id: { $in: [...keys] } }).toArray();
  const byKey = new Map(records.map((record) => [record._id, record]));
  return keys.map((key) => {
    const {
      label = user.username ?? "",
      created_at = user.created_at,
      last_used_at = null,
    } = byKey.get(key) ?? {};
    return { key, kind: identityKind(key), label, created_at, last_used_at };
  });
}

/** Records a use. Accounts made by the messenger have no record, so nothing is written for them. */
export async function recordIdentityUse(db: Db, { key, label }: ProvenIdentity, now: Date): Promise<void> {
  await db.identities.updateOne({ _id: key }, { $set: { last_used_at: now, label } });
}

async function findOrInsert(db: Db, doc: IdentityDoc): Promise<IdentityDoc> {
  const { _id, ...fields } = doc;
  const upsert = () =>
    db.identities.findOneAndUpdate(
      { _id },
      { $setOnInsert: fields },
      { upsert: true, returnDocument: "after" },
    );
  // If two inserts collide, the unique id lets one succeed, and the other finds it.
  const record = (await skipDuplicate(upsert())) ?? (await upsert());
  return required(record, "identity after an upsert");
}

/** Assigns a record that opens nothing to another account; false if it may still be in use. */
async function claimUnfinishedIdentity(
  db: Db,
  record: IdentityDoc,
  fields: Pick<IdentityDoc, "user_id" | "label" | "passkey">,
  now: Date,
): Promise<boolean> {
  if (now.getTime() - record.created_at.getTime() < UNFINISHED_FOR_MS) return false;
  const { _id, user_id, created_at } = record;
  const claimed = await db.identities.updateOne(
    { _id, user_id, created_at },
    { $set: { ...fields, created_at: now } },
  );
  return claimed.matchedCount === 1;
}
