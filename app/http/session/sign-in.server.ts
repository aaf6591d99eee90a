import type { RequestContext } from "#app/http/request-context.ts";
import { forgetNewcomer, keepNewcomer } from "#app/http/session/join-request.server.ts";
import { claimInvitation, findSignUpRefusal, forgetInvitation } from "#app/http/session/sign-up.server.ts";
import { removeLeaving } from "#db/accounts/account.server.ts";
import {
  findByIdentity,
  type ProvenIdentity,
  reserveUserId,
  setIdentityUsed,
} from "#db/accounts/identities.server.ts";
import { isJoinApproved, removeJoinRequest } from "#db/accounts/join-requests.server.ts";
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
  const needsInvitation = env.signUp === "invited" && !isVouchedFor && !isAppointed;
  const refusal = isVouchedFor || isAppointed ? null : await findSignUpRefusal(context);
  if (!refusal) return makeAccount(context, identity, names, { needsInvitation });
  if (env.signUp !== "invited") return refusal;
  if (await isJoinApproved(db, identity.key, clock())) return makeApproved(context, identity, names);
  keepNewcomer(context, identity, names);
  return refusal;
}

/** An administrator has answered a request to join; it goes once the account is there. */
async function makeApproved(
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

/**
 * The invitation becomes this account's before the account is made, and the account is made with the invitation's role: a try that
 * was interrupted is finished by the next one.
 */
async function makeAccount(
  context: RequestContext,
  identity: ProvenIdentity,
  names: PersonNames,
  { needsInvitation }: { needsInvitation: boolean },
): Promise<User | Refusal> {
  const { db, clock } = context.services;
  const id = await reserveUserId(db, identity, clock());
  if (isRefusal(id)) return id;
  const role = needsInvitation ? await claimInvitation(context, id) : "regular";
  if (isRefusal(role)) return role;
  const identity_keys = toFirstKeys(id, identity.key);
  const user = await signInUser(db, { id, ...names }, clock(), { identity_keys, role });
  if (needsInvitation) forgetInvitation(context);
  return user;
}

/** An account with the messenger's own id needs no list until it gets another identity. */
const toFirstKeys = (userId: string, key: string) =>
  listIdentityKeys({ id: userId }).includes(key) ? undefined : [key];
