import type { ObjectId } from "mongodb";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import type { JoinAnswer } from "#domain/accounts/join-request.ts";
import type { Role } from "#domain/accounts/role.ts";
import type { SecurityEntry } from "#domain/accounts/security-event.ts";

/** A person's instructions for agents, separate from their record because every request reads that. */
export type InstructionsDoc = { _id: string; text: string; updated_at: Date };

/**
 * The secret address of a person's reminders for calendars and feed readers, one per person. The secret is shown once and
 * stored as a digest; a new one replaces the old one in a single write.
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
 * A personal access token. The secret is shown once and not stored; its digest identifies it, and its last characters let the
 * owner recognise it.
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
 * A valid sign-in, stored in the person's record, so that a single read returns the person and the session. The cookie only
 * names it; removing the entry ends the session everywhere.
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
 * A way to sign in and the account that it opens; `_id` is its key. It counts only while that account lists the key, so an
 * interrupted join or removal opens nothing.
 */
export type IdentityDoc = {
  _id: string;
  user_id: string;
  /** The person's own recognisable name for it: a user name or a verified address. */
  label: string;
  created_at: Date;
  last_used_at: Date | null;
  /** Only for passkeys. */
  passkey?: StoredPasskey;
};

export type StoredPasskey = {
  /** The public key as its authenticator sent it, in base64url. */
  public_key: string;
  /** The number of uses, if the authenticator counts them; otherwise zero. */
  counter: number;
  /** The transports that the browser reported. */
  transports: string[];
};

/** A used proof of a login; `_id` is its digest. It is stored for as long as the proof would be valid, so that the proof works only once. */
export type UsedLoginDoc = {
  _id: string;
  expires_at: Date;
  /** The first time that a program on the server's machine posted it in a body; absent if it came in another way. */
  posted_here_at?: Date;
};

/** A link that lets one person create an account; `_id` is the digest of its token. */
export type InvitationDoc = {
  _id: string;
  /** The inviting person; null for the release step. */
  user_id: string | null;
  role: Role;
  created_at: Date;
  expires_at: Date;
  used_by: string | null;
};

/** A request for an account by a person with a proven identity; `_id` is the digest of the identity's key. */
export type JoinRequestDoc = {
  _id: string;
  kind: IdentityKind;
  label: string;
  name: string;
  created_at: Date;
  expires_at: Date;
  answer: JoinAnswer | null;
};

/** The newest security events of an account; `_id` is the account's. */
export type SecurityLogDoc = { _id: string; entries: SecurityEntry[]; expires_at: Date };

/** A person. The id is the messenger's if the messenger made the account, otherwise opaque. */
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
  /** The identities that open the account, the one that made it first; absent if it is only the messenger's. */
  identity_keys?: string[];
  /** True while the role comes from the provider's groups. */
  has_group_role?: boolean;
  /** The last dismissed announcements; absent before the first. */
  dismissed_announcements?: string[];
  /** Absent means on. */
  keyboard_shortcuts?: boolean;
  /** False if run results must not be stored; absent before a choice. */
  keep_run_results?: boolean;
  /** Set while the account is being deleted: the person has no access. */
  leaving_at?: Date;
  removing_until?: Date;
  /** Raised to end all credentials of the account at once; absent for zero. */
  credential_epoch?: number;
  locked_at?: Date;
};
