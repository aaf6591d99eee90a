import type { ObjectId } from "mongodb";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import type { JoinAnswer } from "#domain/accounts/join-request.ts";
import type { Role } from "#domain/accounts/role.ts";
import type { SecurityEntry } from "#domain/accounts/security-event.ts";

/** What a person tells agents; apart from their record, which every request reads. */
export type InstructionsDoc = { _id: string; text: string; updated_at: Date };

/**
 * The secret address at which a person's reminders are read by calendars and feed readers: one each. The secret is shown once
 * and stored as a digest; a new one replaces the old one in the same write.
 */
export type FeedDoc = {
  _id: ObjectId;
  user_id: string;
  digest: string;
  made_at: Date;
  last_read_at: Date | null;
  epoch?: number;
};

/**
 * Personal access tokens. The secret is shown once and not stored. Its digest is stored to find it, and its last characters
 * so that its owner recognises it.
 */
export type TokenDoc = {
  _id: ObjectId;
  user_id: string;
  slot: number;
  digest: string;
  ending: string;
  name: string;
  scope: TokenScope;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  epoch?: number;
};

/**
 * A sign-in that is still good, kept in its person's own record: one read tells who it is and whether the session stands.
 * The cookie only names it; removing the entry ends the session wherever the cookie is.
 */
export type SessionEntry = {
  id: string;
  created_at: Date;
  renewed_at: Date;
  expires_at: Date;
  /** Absent until the session is used some time after the sign-in. */
  used_at?: Date;
  device?: DeviceKind;
  epoch?: number;
};

/**
 * One way to sign in, and which account it opens: `_id` is its key. It counts only while that account lists the key, so a join or a
 * part that stops halfway opens nothing.
 */
export type IdentityDoc = {
  _id: string;
  user_id: string;
  /** What its person recognises it by: a user name, or a verified address. */
  label: string;
  created_at: Date;
  last_used_at: Date | null;
  /** Only where the identity is a passkey. */
  passkey?: StoredPasskey;
};

/** What the signatures of a passkey are checked against. */
export type StoredPasskey = {
  /** The public key, as its authenticator wrote it, in base64url. */
  public_key: string;
  /** How often it was used, where its authenticator counts; zero where it does not. */
  counter: number;
  /** How browsers reach it, as they said themselves. */
  transports: string[];
};

/**
 * A proof of a login that was used: `_id` is its digest. It is kept as long as the proof would be good, so that nobody uses it
 * a second time.
 */
export type UsedLoginDoc = {
  _id: string;
  expires_at: Date;
  /** When a program of the server's own machine first posted it in a body; missing where it came in another way. */
  posted_here_at?: Date;
};

/** A link by which one person may make an account: `_id` is the digest of its token. */
export type InvitationDoc = {
  _id: string;
  /** Who made it; null for the release step. */
  user_id: string | null;
  role: Role;
  created_at: Date;
  expires_at: Date;
  /** The account that was made with it. */
  used_by: string | null;
};

/** Somebody with a proven identity who asks for an account: `_id` is the digest of the identity's key. */
export type JoinRequestDoc = {
  _id: string;
  kind: IdentityKind;
  label: string;
  name: string;
  created_at: Date;
  expires_at: Date;
  answer: JoinAnswer | null;
};

/** The last events about the access to an account: `_id` is the account's. */
export type SecurityLogDoc = { _id: string; entries: SecurityEntry[]; expires_at: Date };

/** A person. Their id is the messenger's where the messenger made the account, else an opaque one. */
export type UserDoc = {
  _id: string;
  first_name: string;
  last_name: string | null;
  username: string | null;
  photo_url: string | null;
  role: Role;
  has_seen_welcome_modal: boolean;
  locale: string | null;
  timezone: string | null;
  created_at: Date;
  last_login_at: Date;
  sessions: SessionEntry[];
  /** What opens the account, the identity that made it first; absent where that is the messenger alone. */
  identity_keys?: string[];
  /** True while the role comes from the provider's groups. */
  has_group_role?: boolean;
  /** The last announcements this person dismissed; absent before the first. */
  dismissed_announcements?: string[];
  /** Where absent, keyboard shortcuts are on. */
  keyboard_shortcuts?: boolean;
  /** False where no results of runs are to be stored; absent before a choice. */
  keep_run_results?: boolean;
  /** Set while the account is being deleted: the person is not let in, and everything of theirs goes. */
  leaving_at?: Date;
  /** Until then a process holds the deletion. */
  removing_until?: Date;
  /** Raised to end every credential of the account at once; absent for zero. */
  credential_epoch?: number;
  /** Since when an administrator keeps the account locked; absent while it is open. */
  locked_at?: Date;
};
