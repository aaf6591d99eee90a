import type { RequestContext } from "#app/http/request-context.ts";
import { claimInvitation, findSignUpRefusal, grantInvitedRole } from "#app/http/session/sign-up.server.ts";
import { removeLeaving } from "#db/accounts/account.server.ts";
import {
  findByIdentity,
  type ProvenIdentity,
  reserveUserId,
  setIdentityUsed,
} from "#db/accounts/identities.server.ts";
import { type PersonNames, recordSignIn, signInUser, type User } from "#db/accounts/users.server.ts";
import { identitySubject, listIdentityKeys } from "#domain/accounts/identity.ts";
import { appointedRole } from "#domain/accounts/role.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** Somebody whose provider says that they belong here needs no invitation. */
type SignInOptions = { isVouchedFor?: boolean };

/**
 * The account that a proven identity opens; the first sign-in makes it, where new people may come. Whoever deleted their account begins anew once nothing of
 * the old one is left.
 */
export async function signInByIdentity(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
  { isVouchedFor = false }: SignInOptions = {},
): Promise<User | Refusal> {
  const { db, env, clock } = context.services;
  const user = await findByIdentity(db, identity.key);
  if (user && !user.leaving_at) {
    await setIdentityUsed(db, identity, clock());
    // The identity that made the account says how its person is called.
    return listIdentityKeys(user)[0] === identity.key
      ? signInUser(db, { id: user.id, ...names }, clock())
      : recordSignIn(db, user, clock());
  }
  if (user && !(await removeLeaving(db, user.id, clock))) return Refusal("account_leaving");
  const isAppointed = appointedRole({ id: identitySubject(identity.key) }, env) !== null;
  if (isVouchedFor || isAppointed) return makeAccount(context, identity, names);
  return (await findSignUpRefusal(context)) ?? makeInvitedAccount(context, identity, names);
}

async function makeAccount(
  { services: { db, clock } }: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
): Promise<User | Refusal> {
  const userId = await reserveUserId(db, identity, clock());
  if (isRefusal(userId)) return userId;
  return signInUser(db, { id: userId, ...names }, clock(), toFirstKeys(userId, identity.key));
}

/** The invitation is used up first: an account that was interrupted before it was made is made by the next try. */
async function makeInvitedAccount(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
): Promise<User | Refusal> {
  const { db, clock } = context.services;
  const userId = await reserveUserId(db, identity, clock());
  if (isRefusal(userId)) return userId;
  const refusal = await claimInvitation(context, userId);
  if (refusal) return refusal;
  const user = await signInUser(db, { id: userId, ...names }, clock(), toFirstKeys(userId, identity.key));
  await grantInvitedRole(context, userId);
  return user;
}

/** An account with the messenger's own id needs no list until it gets another identity. */
const toFirstKeys = (userId: string, key: string) =>
  listIdentityKeys({ id: userId }).includes(key) ? undefined : [key];
