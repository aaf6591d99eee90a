/**
 * An identity is one way to sign in: an account of the messenger, an account at the OpenID Connect provider, or a passkey. An
 * account lists the keys of its identities, and only that list decides who can open it.
 */
const IDENTITY_KINDS = ["messenger", "oidc", "passkey"] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

export const IDENTITIES_MAX = 20;

const USER_ID = /^(\d{1,20}|[0-9a-f]{24})$/;

/** Accounts made by the messenger have the messenger's id; all others have an opaque id. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

export function messengerKey(messengerId: string): string {
  return `messenger:${messengerId}`;
}

/** Returns the part of a key after its kind. */
export function identitySubject(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

export function identityKind(key: string): IdentityKind {
  return IDENTITY_KINDS.find((kind) => key.startsWith(`${kind}:`)) ?? "messenger";
}

type IdentityHolder = { id: string; identity_keys?: readonly string[] };

/** The first key made the account. An account without a list never changed its identities: only the messenger opens it. */
export function listIdentityKeys({ id, identity_keys }: IdentityHolder): readonly string[] {
  return identity_keys ?? [messengerKey(id)];
}

/** Lists the ids by which the environment may give a person a role: the account's own id and those of its messenger identities. */
export function listAppointableIds(holder: IdentityHolder): readonly string[] {
  const messengers = listIdentityKeys(holder).filter((key) => identityKind(key) === "messenger");
  return [holder.id, ...messengers.map(identitySubject)];
}
