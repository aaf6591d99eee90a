import type { RequestContext } from "#app/http/request-context.ts";
import { removeLeaving } from "#db/accounts/account.server.ts";
import {
  findByIdentity,
  type ProvenIdentity,
  reserveUserId,
  setIdentityUsed,
} from "#db/accounts/identities.server.ts";
import { type PersonNames, recordSignIn, signInUser, type User } from "#db/accounts/users.server.ts";
import { listIdentityKeys } from "#domain/accounts/identity.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * The account that a proven identity opens; the first sign-in makes it. Whoever deleted their account begins anew once nothing of
 * the old one is left.
 */
export async function signInByIdentity(
  { services }: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
): Promise<User | Refusal> {
  const { db, clock } = services;
  const user = await findByIdentity(db, identity.key);
  if (user && !user.leaving_at) {
    await setIdentityUsed(db, identity, clock());
    // The identity that made the account says how its person is called.
    return listIdentityKeys(user)[0] === identity.key
      ? signInUser(db, { id: user.id, ...names }, clock())
      : recordSignIn(db, user, clock());
  }
  if (user && !(await removeLeaving(db, user.id, clock))) return Refusal("account_leaving");
  const userId = await reserveUserId(db, identity, clock());
  if (isRefusal(userId)) return userId;
  return signInUser(db, { id: userId, ...names }, clock(), toFirstKeys(userId, identity.key));
}

/** An account with the messenger's own id needs no list until it gets another identity. */
const toFirstKeys = (userId: string, key: string) =>
  listIdentityKeys({ id: userId }).includes(key) ? undefined : [key];
