import type { RequestContext } from "#app/http/request-context.ts";
import { findInvitation, takeInvitation } from "#db/accounts/invitations.server.ts";
import { setUserRole } from "#db/accounts/people.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/** The invitation that this browser came with, kept while its person logs in. */
const COOKIE = "invitation";
const LIFETIME_MS = 60 * MINUTE_MS;

export const keepInvitation = (context: RequestContext, token: string) =>
  context.keepCookie(COOKIE, token, LIFETIME_MS / SECOND_MS);

export const isInvited = (context: RequestContext): boolean => Boolean(context.keptCookie(COOKIE));

/** Whether a new account may be made: null, or why not. */
export async function findSignUpRefusal(context: RequestContext): Promise<Refusal | null> {
  const { env, db, clock } = context.services;
  if (env.signUp === "open") return null;
  if (env.signUp === "closed") return Refusal("sign_up_closed");
  const token = context.keptCookie(COOKIE);
  if (!token) return Refusal("invitation_needed");
  return (await findInvitation(db, token, clock())) ? null : Refusal("invitation_ended");
}

/** Uses up this browser's invitation for a new account, before the account is made. */
export async function claimInvitation(context: RequestContext, userId: string): Promise<Refusal | null> {
  const { env, db, clock } = context.services;
  const token = context.keptCookie(COOKIE);
  if (env.signUp !== "invited" || !token) return null;
  const taken = await takeInvitation(db, token, userId, clock());
  return taken ? null : Refusal("invitation_ended");
}

/** What the invitation gives beyond the account; then it is forgotten by this browser. */
export async function grantInvitedRole(context: RequestContext, userId: string): Promise<void> {
  const { env, db, clock } = context.services;
  const token = context.keptCookie(COOKIE);
  if (env.signUp !== "invited" || !token) return;
  const taken = await takeInvitation(db, token, userId, clock());
  if (taken && taken.role !== "regular") await setUserRole(db, userId, taken.role);
  context.keepCookie(COOKIE, "", 0);
}
