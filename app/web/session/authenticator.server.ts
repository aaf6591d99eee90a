import { redirect } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readBodyLimit } from "#app/web/door/route-policy.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { hasLoginStarted } from "#app/web/session/login-state.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { MessengerStrategy } from "#app/web/session/messenger-strategy.server.ts";
import { signInByIdentity } from "#app/web/session/sign-in.server.ts";
import { claimLoginProof } from "#db/accounts/used-logins.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { listIdentityKeys, messengerKey } from "#domain/accounts/identity.ts";
import type { MessengerProfile, WidgetLogin } from "#domain/accounts/messenger-auth.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Returns the person that the messenger vouches for, or throws a 401. */
export function authenticate(context: RequestContext, request: Request): Promise<User> {
  const { env, db, clock } = context.services;
  const onRefusal = ({ refused }: Refusal) => db.emit("auth_refused", { reason: refused });
  const maxBytes = readBodyLimit(context.policy);
  const strategy = new MessengerStrategy({ bot: env, clock, maxBytes, onRefusal }, async (login) => {
    const refusal = await claimMessengerProof(context, request, login);
    const user = refusal ?? (await signInByMessenger(context, login.profile));
    if (!isRefusal(user)) return user;
    onRefusal(user);
    if (request.method === "GET") throw answerFailedSignIn(context, request, user);
    throw toRefusalResponse(Refusal(user.refused, { success: false, ...user.context }));
  });
  return new Authenticator<User>().use(strategy).authenticate(strategy.name, request);
}

/**
 * Refuses a proof of the messenger that was used before: each is good for one login. In an address it is good only in the browser that
 * began the login, because addresses stay in histories and logs. A browser already logged in to that account may show it again, for
 * instance in another tab.
 */
async function claimMessengerProof(
  context: RequestContext,
  request: Request,
  { hash, authDateSeconds, profile }: WidgetLogin,
): Promise<Refusal | null> {
  const { env, db, clock } = context.services;
  const current = await context.session.sessionHolder();
  if (current && listIdentityKeys(current.user).includes(messengerKey(profile.id))) return null;
  const isInAddress = request.method === "GET";
  if (isInAddress && !hasLoginStarted(context, new URL(request.url).searchParams.get("state")))
    return Refusal("unknown_login_state");
  const expires_at = new Date((authDateSeconds + env.messengerAuthMaxAgeSeconds + 1) * SECOND_MS);
  const postedHereAt = !env.production && context.isLocal && !isInAddress ? clock() : undefined;
  const isGood = await claimLoginProof(db, hash, expires_at, postedHereAt);
  return isGood ? null : Refusal("login_used");
}

export function signInByMessenger(
  context: RequestContext,
  { id, ...names }: MessengerProfile,
): Promise<User | Refusal> {
  const identity = { key: messengerKey(id), label: names.username ?? names.first_name };
  return signInByIdentity(context, identity, names);
}

function answerFailedSignIn(context: RequestContext, request: Request, refusal: Refusal): Response {
  if (!wantsPage(request.headers.get("Accept")))
    return toRefusalResponse(Refusal(refusal.refused, { success: false, ...refusal.context }));
  context.session.flash({ say: "refused", code: refusal.refused });
  const next = pathAfterSignIn(new URL(request.url).searchParams.get("next"), "");
  return redirect(next ? `${LOGIN_PATH}?next=${encodeURIComponent(next)}` : LOGIN_PATH);
}
