import type { UserDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { CredentialOwner } from "#domain/accounts/credential.ts";
import type { MessengerProfile } from "#domain/accounts/messenger-auth.ts";
import type { Role } from "#domain/accounts/role.ts";
import { required } from "#domain/required.ts";

const DISMISSALS_MAX = 50;

export type User = Omit<UserDoc, "_id" | "sessions" | "credential_epoch"> & CredentialOwner;

export type PersonNames = Omit<MessengerProfile, "id">;

/** Fields that only a new account gets: its identities, unless it is the messenger's, and its role. */
type NewAccount = { identity_keys?: string[]; role?: Role };

/** Creates the account at the first verified sign-in and refreshes the names at each. */
export async function signInUser(
  db: Db,
  { id, ...names }: PersonNames & { id: string },
  now: Date,
  { identity_keys, role = "regular" }: NewAccount = {},
): Promise<User> {
  const upsert = () =>
    db.users.findOneAndUpdate(
      { _id: id },
      {
        $set: { ...names, last_login_at: now },
        $setOnInsert: {
          role,
          has_seen_welcome_modal: false,
          locale: null,
          timezone: null,
          created_at: now,
          sessions: [],
          identity_keys,
        },
      },
      { upsert: true, returnDocument: "after" },
    );
  // If two first sign-ins collide, the unique id lets one insert, and the other finds it.
  const doc = (await skipDuplicate(upsert())) ?? (await upsert());
  const user = toUser(required(doc, "user after an upsert"));
  emitLoginMetric(db, user);
  return user;
}

export async function recordSignIn(db: Db, user: User, now: Date): Promise<User> {
  await db.users.updateOne({ _id: user.id }, { $set: { last_login_at: now } });
  emitLoginMetric(db, user);
  return user;
}

function emitLoginMetric(db: Db, { id, locked_at }: User): void {
  if (!locked_at) db.emit("business_metric", { metric: "login", resource: { type: "user", id } });
}

export async function setUserLocale(db: Db, userId: string, locale: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { locale } });
}

export async function setKeyboardShortcuts(db: Db, userId: string, on: boolean): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { keyboard_shortcuts: on } });
}

export async function setWelcomeSeen(db: Db, userId: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { has_seen_welcome_modal: true } });
}

export async function setKeepRunResults(db: Db, userId: string, keep_run_results: boolean): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { keep_run_results } });
}

export async function dismissAnnouncement(db: Db, userId: string, announcementId: string): Promise<void> {
  const newest = { $each: [announcementId], $slice: -DISMISSALS_MAX };
  await db.users.updateOne(
    { _id: userId, dismissed_announcements: { $ne: announcementId } },
    { $push: { dismissed_announcements: newest } },
  );
}

/** With `unlessChosen`, keeps a zone that the person has set. */
export async function setUserTimezone(
  db: Db,
  userId: string,
  timezone: string,
  { unlessChosen = false } = {},
): Promise<void> {
  await db.users.updateOne(
    { _id: userId, ...(unlessChosen ? { timezone: null } : {}) },
    { $set: { timezone } },
  );
}

export function toUser({ _id, sessions: _, credential_epoch = 0, ...user }: UserDoc): User {
  return { id: _id, credential_epoch, ...user };
}
