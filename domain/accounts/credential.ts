/**
 * What lets somebody in, or reaches them, on behalf of an account. Each credential records the account's epoch at its making
 * and counts only while the account is still at that epoch: raising the epoch ends all of them with one write.
 * An epoch that is not recorded is zero, so what was made before epochs were recorded stands until the first raise.
 */
export const CREDENTIAL_KINDS = ["session", "token", "feed", "device", "share_password"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/**
 * Whoever makes a credential, at the epoch under which they were let in. If the epoch is raised while the credential is being
 * made, it is of the older epoch and never counts.
 */
export type CredentialOwner = { id: string; credential_epoch: number };

export function isOfEpoch(credential: { epoch?: number }, account: { credential_epoch?: number }): boolean {
  return (credential.epoch ?? 0) === (account.credential_epoch ?? 0);
}

/** What a form names a credential by. A session's key has no kind in front. */
export function credentialKey(kind: CredentialKind, id: string): string {
  return kind === "session" ? id : `${kind}.${id}`;
}

export function parseCredentialKey(key: string): { kind: CredentialKind; id: string } {
  const dot = key.indexOf(".");
  const kind = CREDENTIAL_KINDS.find((known) => known === key.slice(0, Math.max(dot, 0)));
  return kind ? { kind, id: key.slice(dot + 1) } : { kind: "session", id: key };
}
