import type { RequestContext } from "#app/web/request-context.ts";
import { forgetNewcomer, storeNewcomer } from "#app/web/session/join-request.server.ts";
import { claimInvitedRole, findSignUpRefusal, forgetInvitation } from "#app/web/session/sign-up.server.ts";
import {
  findUserByIdentity,
  type ProvenIdentity,
  recordIdentityUse,
  reserveUserId,
} from "#db/accounts/identities.server.ts";
import { isJoinApproved, removeJoinRequest } from "#db/accounts/join-requests.server.ts";
import { type PersonNames, recordSignIn, signInUser, type User } from "#db/accounts/users.server.ts";
import { removeAccountData } from "#db/operations/account-removal.server.ts";
import { identitySubject, listIdentityKeys } from "#domain/accounts/identity.ts";
import { appointedRole } from "#domain/accounts/role.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** A person whose provider vouches for them needs no invitation. */
type SignInOptions = { isVouchedFor?: boolean };

/**
 * Returns the account of a proven identity. The first sign-in creates it, if new people may sign up. A person who deleted their account
 * gets a new one once the old one is gone.
 */
export async function signInByIdentity(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
  { isVouchedFor = false }: SignInOptions = {},
): Promise<User | Refusal> {
  const { db, env, clock } = context.services;
  const user = await findUserByIdentity(db, identity.key);
  if (user && !user.leaving_at) {
    await recordIdentityUse(db, identity, clock());
    // The first identity of an account decides the person's name.
    return listIdentityKeys(user)[0] === identity.key
      ? signInUser(db, { id: user.id, ...names }, clock())
      : recordSignIn(db, user, clock());
  }
  if (user && !(await removeAccountData(db, user.id, clock))) return Refusal("account_leaving");
  const isAppointed = appointedRole({ id: identitySubject(identity.key) }, env) !== null;
  const needsInvitation = env.signUp === "invited" && !isVouchedFor && !isAppointed;
  const refusal = isVouchedFor || isAppointed ? null : await findSignUpRefusal(context);
  if (!refusal) return makeAccount(context, identity, names, { needsInvitation });
  if (env.signUp !== "invited") return refusal;
  if (await isJoinApproved(db, identity.key, clock())) return makeApprovedAccount(context, identity, names);
  storeNewcomer(context, identity, names);
  return refusal;
}

/** Creates the account of a person whose request to join was approved. The request is removed once the account exists. */
async function makeApprovedAccount(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
): Promise<User | Refusal> {
  const user = await makeAccount(context, identity, names, { needsInvitation: false });
  if (isRefusal(user)) return user;
  await removeJoinRequest(context.services.db, identity.key);
  forgetNewcomer(context);
  return user;
}

/** Creates an account. A needed invitation is claimed first and gives its role, so that the next try finishes an interrupted one. */
async function makeAccount(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
  { needsInvitation }: { needsInvitation: boolean },
): Promise<User | Refusal> {
  const { db, clock } = context.services;
  const id = await reserveUserId(db, identity, clock());
  if (isRefusal(id)) return id;
  const role = needsInvitation ? await claimInvitedRole(context, id) : "regular";
  if (isRefusal(role)) return role;
  const identity_keys = toFirstKeys(id, identity.key);
  const user = await signInUser(db, { id, ...names }, clock(), { identity_keys, role });
  if (needsInvitation) forgetInvitation(context);
  return user;
}

/** An account with the messenger's own id stores no list until it gets another identity. */
const toFirstKeys = (userId: string, key: string) =>
  listIdentityKeys({ id: userId }).includes(key) ? undefined : [key];
