import type { RequestContext } from "#app/web/request-context.ts";
import { assignInvitation, findUsableInvitation } from "#db/accounts/invitations.server.ts";
import type { Role } from "#domain/accounts/role.ts";
import { Refusal } from "#domain/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/** The invitation that this browser came with is kept while its person logs in. */
const COOKIE = "invitation";
const LIFETIME_MS = 60 * MINUTE_MS;

export const keepInvitation = (context: RequestContext, token: string) =>
  context.session.keepCookie(COOKIE, token, LIFETIME_MS / SECOND_MS);

export async function isInvited(context: RequestContext): Promise<boolean> {
  const token = context.session.keptCookie(COOKIE);
  const { db, clock } = context.services;
  return Boolean(token && (await findUsableInvitation(db, token, clock())));
}

/** Returns null if a new account may be created. */
export async function findSignUpRefusal(context: RequestContext): Promise<Refusal | null> {
  const { env, db, clock } = context.services;
  if (env.signUp === "open") return null;
  if (env.signUp === "closed") return Refusal("sign_up_closed");
  const token = context.session.keptCookie(COOKIE);
  if (!token) return Refusal("invitation_needed");
  return (await findUsableInvitation(db, token, clock())) ? null : Refusal("invitation_ended");
}

export async function claimInvitedRole(context: RequestContext, userId: string): Promise<Role | Refusal> {
  const { db, clock } = context.services;
  const invitation = await assignInvitation(db, context.session.keptCookie(COOKIE) ?? "", userId, clock());
  return invitation?.role ?? Refusal("invitation_ended");
}

export const forgetInvitation = (context: RequestContext) => context.session.keepCookie(COOKIE, "", 0);
