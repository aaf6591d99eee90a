/**
 * A credential gives access to an account or receives its notifications. It records the account's epoch when it is made and
 * counts only while the account has that epoch, so raising the epoch ends all credentials with one write. A missing epoch is
 * zero: credentials older than this rule count until the first raise.
 */
export const CREDENTIAL_KINDS = ["session", "token", "feed", "device", "share_password"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/**
 * The maker of a credential with the epoch of their own sign-in. If the epoch is raised while the credential is being made, the
 * credential has the older epoch and never counts.
 */
export type CredentialOwner = { id: string; credential_epoch: number };

export function hasSameEpoch(
  credential: { epoch?: number },
  account: { credential_epoch?: number },
): boolean {
  return (credential.epoch ?? 0) === (account.credential_epoch ?? 0);
}

/** Returns the key that forms use for a credential. A session's key has no kind in front. */
export function credentialKey(kind: CredentialKind, id: string): string {
  return kind === "session" ? id : `${kind}.${id}`;
}

export function parseCredentialKey(key: string): { kind: CredentialKind; id: string } {
  const dot = key.indexOf(".");
  const kind = CREDENTIAL_KINDS.find((knownKind) => knownKind === key.slice(0, Math.max(dot, 0)));
  return kind ? { kind, id: key.slice(dot + 1) } : { kind: "session", id: key };
}
