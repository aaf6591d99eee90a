import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import type { IdentityDoc, UserDoc } from "#db/accounts/documents.ts";
import { toUser, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
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
 * Which account an identity opens. Two documents say so: the account's list of keys, which decides, and the identity's own record, by
 * which the account is found. A record whose account does not list it is left over from something interrupted and may be taken over, once
 * it is old enough that nobody is still at work on it.
 */
const UNFINISHED_FOR_MS = MINUTE_MS;

/** An identity that has just been proven. */
export type ProvenIdentity = Pick<IdentityDoc, "label" | "passkey"> & { key: string };

/** The issuer is part of the key: a subject means nothing at another one. */
export function oidcKey(issuer: string, subject: string): string {
  return `oidc:${createHash("sha256").update(`${issuer}\n${subject}`).digest("base64url")}`;
}

const opens = (doc: UserDoc, key: string) =>
  listIdentityKeys({ id: doc._id, identity_keys: doc.identity_keys }).includes(key);

/** The account that an identity opens, or null. */
export async function findByIdentity(db: Db, key: string): Promise<User | null> {
  const record = await db.identities.findOne({ _id: key });
  const named = record && (await db.users.findOne({ _id: record.user_id }));
  if (named && opens(named, key)) return toUser(named);
  if (identityKind(key) !== "messenger") return null;
  // The messenger's own accounts have its ids and need no record.
  const doc = await db.users.findOne({ _id: identitySubject(key) });
  return doc && opens(doc, key) ? toUser(doc) : null;
}

/**
 * The id for an account that this identity is going to make. It is kept in the identity's record first, so that a try that was
 * interrupted continues with the same id.
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
  // Nobody has this id yet: an earlier try stopped before it made the account.
  if (!holder || opens(holder, key)) return record.user_id;
  return (await takeOver(db, record, { user_id: userId, label }, now)) ? userId : Refusal("identity_taken");
}

/** Adds an identity to an account. It is refused where it opens another one. */
export async function joinIdentity(
  db: Db,
  user: User,
  identity: ProvenIdentity,
  now: Date,
): Promise<true | Refusal> {
  const { key, ...fields } = identity;
  const holder = await findByIdentity(db, key);
  if (holder) return holder.id === user.id ? true : Refusal("identity_taken");
  const taken = { user_id: user.id, ...fields };
  const record = await findOrInsert(db, { _id: key, ...taken, created_at: now, last_used_at: null });
  if (record.user_id !== user.id && !(await takeOver(db, record, taken, now)))
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

/** Takes an identity from an account, never the last: the same write that removes it sees another one. */
export async function partIdentity(db: Db, userId: string, key: string): Promise<true | Refusal> {
  const amongOthers = { _id: userId, identity_keys: key, "identity_keys.1": { $exists: true } };
  // A role of the provider's groups ends with the identity that gave it.
  if (identityKind(key) === "oidc")
    await db.users.updateOne(
      { ...amongOthers, has_group_role: true },
      { $set: { role: "regular" }, $unset: { has_group_role: "" } },
    );
  const parted = await db.users.findOneAndUpdate(amongOthers, { $pull: { identity_keys: key } });
  if (!parted) {
    const doc = await db.users.findOne({ _id: userId });
    if (doc && opens(doc, key)) return Refusal("last_identity");
  }
  const { deletedCount } = await db.identities.deleteOne({ _id: key, user_id: userId });
  if (!parted && deletedCount === 0) return Refusal("identity_not_found");
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

/** In the order they were joined. */
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

/** Only an identity with a record has its uses noted; the messenger's own accounts have none. */
export async function setIdentityUsed(db: Db, { key, label }: ProvenIdentity, now: Date): Promise<void> {
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
  // Of two at once the unique id lets one insert; the other then finds it.
  const found = await upsert().catch((error) => {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  });
  return required(found, "identity after an upsert");
}

/** Gives a record that opens nothing to another account; false where it may still be in use. */
async function takeOver(
  db: Db,
  record: IdentityDoc,
  fields: Pick<IdentityDoc, "user_id" | "label" | "passkey">,
  now: Date,
): Promise<boolean> {
  if (now.getTime() - record.created_at.getTime() < UNFINISHED_FOR_MS) return false;
  const { _id, user_id, created_at } = record;
  const taken = await db.identities.updateOne(
    { _id, user_id, created_at },
    { $set: { ...fields, created_at: now } },
  );
  return taken.matchedCount === 1;
}
