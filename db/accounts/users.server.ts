import type { UserDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { CredentialOwner } from "#domain/accounts/credential.ts";
import type { MessengerProfile } from "#domain/accounts/messenger-auth.ts";
import type { Role } from "#domain/accounts/role.ts";
import { required } from "#domain/required.ts";

const DISMISSALS_KEPT = 50;

export type User = Omit<UserDoc, "_id" | "sessions" | "credential_epoch"> & CredentialOwner;

/** How a person is called, as whoever vouches for them says. */
export type PersonNames = Omit<MessengerProfile, "id">;

/** What only an account that is made now gets: what opens it, where that is not the messenger, and its role. */
type NewAccount = { identity_keys?: string[]; role?: Role };

/** The account of a verified sign-in: made on the first, its person's name refreshed on each. */
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
  // Of two first sign-ins at once the unique id lets one insert; the other then finds it.
  const doc = await upsert().catch((error) => {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  });
  const user = toUser(required(doc, "user after an upsert"));
  recordLogin(db, user);
  return user;
}

/** A sign-in by an identity that does not name the account. */
export async function recordSignIn(db: Db, user: User, now: Date): Promise<User> {
  await db.users.updateOne({ _id: user.id }, { $set: { last_login_at: now } });
  recordLogin(db, user);
  return user;
}

function recordLogin(db: Db, { id, locked_at }: User): void {
  if (!locked_at) db.emit("business_metric", { metric: "login", resource: { type: "user", id } });
}

export async function setUserLocale(db: Db, userId: string, locale: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { locale } });
}

export async function setKeyboardShortcuts(db: Db, userId: string, on: boolean): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { keyboard_shortcuts: on } });
}

/** Cannot be undone. */
export async function setWelcomeSeen(db: Db, userId: string): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { has_seen_welcome_modal: true } });
}

export async function setKeepRunResults(db: Db, userId: string, keep_run_results: boolean): Promise<void> {
  await db.users.updateOne({ _id: userId }, { $set: { keep_run_results } });
}

export async function dismissAnnouncement(db: Db, userId: string, announcementId: string): Promise<void> {
  const last = { $each: [announcementId], $slice: -DISMISSALS_KEPT };
  await db.users.updateOne(
    { _id: userId, dismissed_announcements: { $ne: announcementId } },
    { $push: { dismissed_announcements: last } },
  );
}

/** A zone read from a device is kept only where the person has not chosen one. */
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

export function toUser({ _id, sessions: _, credential_epoch = 0, ...rest }: UserDoc): User {
  return { id: _id, credential_epoch, ...rest };
}
