/**
 * An identity is one way to sign in: an account of the messenger, an account at the OpenID Connect provider, or a passkey. A person's
 * account may have several. It names them by their keys, and this list alone decides what opens the account.
 */
const IDENTITY_KINDS = ["messenger", "oidc", "passkey"] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

export const IDENTITIES_MAX = 20;

const USER_ID = /^(\d{1,20}|[0-9a-f]{24})$/;

/** An account that the messenger made has the messenger's id; any other has an opaque one. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

export function messengerKey(messengerId: string): string {
  return `messenger:${messengerId}`;
}

/** What follows the kind in a key. */
export function identitySubject(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

export function identityKind(key: string): IdentityKind {
  return IDENTITY_KINDS.find((kind) => key.startsWith(`${kind}:`)) ?? "messenger";
}

type IdentityHolder = { id: string; identity_keys?: readonly string[] };

/** The first one made the account. An account that never joined or parted one is opened by the messenger alone. */
export function listIdentityKeys({ id, identity_keys }: IdentityHolder): readonly string[] {
  return identity_keys ?? [messengerKey(id)];
}

/** The ids by which the environment may name a person: the account's own, and those of its messenger identities. */
export function listAppointableIds(holder: IdentityHolder): readonly string[] {
  const messengers = listIdentityKeys(holder).filter((key) => identityKind(key) === "messenger");
  return [holder.id, ...messengers.map(identitySubject)];
}
