import type { Filter } from "mongodb";
import type { UserDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { escapeRegex } from "#db/core/escape-regex.ts";
import { hasSameEpoch } from "#domain/accounts/credential.ts";
import { canRunCode, ROLES, type Role } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";
import { lastItem } from "#domain/required.ts";

export type PersonRecord = {
  id: string;
  name: string;
  username: string | null;
  role: Role;
  identity_keys?: string[];
  sessions: number;
  locked_at: Date | null;
  /** Precise to the day, because a session is renewed at most once a day. */
  last_seen_at: Date;
};
/** `q` has words of a name or user name, or a complete id. Empty lists everybody. */
type PeopleQuery = { q: string; after: string; limit: number };
type PeoplePage = { people: PersonRecord[]; next: string | null; damaged: boolean };

/** Lists people, the newest first. A page begins after the person `after`. */
export async function listPeople(db: Db, { q, after, limit }: PeopleQuery): Promise<PeoplePage> {
  const from = after === "" ? null : await db.users.findOne({ _id: after });
  const docs = await db.users
    .find({ $and: [toAfterFilter(from), toPeopleFilter(q)] }, { hint: "by_creation" })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const people = docs.slice(0, limit).map(toPerson);
  return {
    people,
    next: docs.length > limit ? lastItem(people).id : null,
    damaged: after !== "" && from === null,
  };
}

const WORDS_MAX = 8;
const WORD_MAX_LENGTH = 64;

/** Every word must be a part of the first, last or user name. */
function toPeopleFilter(q: string): Filter<UserDoc> {
  const words = q.split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  if (words.length === 0) return {};
  const wordFilters = words.map((word) => {
    const pattern = { $regex: escapeRegex(word.replace(/^@/, "").slice(0, WORD_MAX_LENGTH)), $options: "i" };
    return { $or: [{ first_name: pattern }, { last_name: pattern }, { username: pattern }] };
  });
  return { $or: [{ _id: q.trim() }, { $and: wordFilters }] };
}

export async function findPerson(db: Db, id: string): Promise<PersonRecord | null> {
  const doc = await db.users.findOne({ _id: id });
  return doc && toPerson(doc);
}

export async function canAnyoneRunCode(db: Db): Promise<boolean> {
  const roles = ROLES.filter(canRunCode);
  return (await db.users.findOne({ role: { $in: roles } }, { projection: { _id: 1 } })) !== null;
}

function toAfterFilter(from: UserDoc | null) {
  if (!from) return {};
  const { created_at, _id } = from;
  return {
    created_at: { $lte: created_at },
    $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: _id } }],
  };
}

/** Sets the stored role. A role from the environment overrides it. */
export async function setUserRole(db: Db, userId: string, role: Role): Promise<PersonRecord | Refusal> {
  const doc = await db.users.findOneAndUpdate(
    { _id: userId },
    { $set: { role }, $unset: { has_group_role: "" } },
    { returnDocument: "after" },
  );
  if (!doc) return Refusal("user_not_found", { user_id: userId });
  db.emit("user_role_set", { role, resource: { type: "user", id: userId } });
  return toPerson(doc);
}

/**
 * Sets the role from the provider's groups at each sign-in; null if they give none. Then a role that they gave ends, but a role
 * from an administrator stays.
 */
export async function setGroupRole(db: Db, userId: string, role: Role | null): Promise<void> {
  if (role) await db.users.updateOne({ _id: userId }, { $set: { role, has_group_role: true } });
  else
    await db.users.updateOne(
      { _id: userId, has_group_role: true },
      { $set: { role: "regular" }, $unset: { has_group_role: "" } },
    );
}

function toPerson(doc: UserDoc): PersonRecord {
  const sessions = doc.sessions.filter((session) => hasSameEpoch(session, doc));
  const moments = [doc.last_login_at, ...sessions.map(({ renewed_at }) => renewed_at)];
  return {
    id: doc._id,
    name: [doc.first_name, doc.last_name].filter(Boolean).join(" "),
    username: doc.username,
    role: doc.role,
    identity_keys: doc.identity_keys,
    sessions: sessions.length,
    locked_at: doc.locked_at ?? null,
    last_seen_at: new Date(Math.max(...moments.map(Number))),
  };
}
