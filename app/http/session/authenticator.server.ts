import { redirect } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { wantsPage } from "#app/http/answers/accept.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { readBodyLimit } from "#app/http/door/route-policy.ts";
import type { RequestContext } from "#app/http/request-context.ts";
import { hasLoginStarted } from "#app/http/session/login-state.server.ts";
import { LOGIN_PATH } from "#app/http/session/login-widget.ts";
import { MessengerStrategy } from "#app/http/session/messenger-strategy.server.ts";
import { signInByIdentity } from "#app/http/session/sign-in.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { messengerKey } from "#domain/accounts/identity.ts";
import type { MessengerProfile } from "#domain/accounts/messenger-auth.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";

/** Who the messenger says is there, or a thrown 401. By GET it has to have begun in this browser. */
export function authenticate(context: RequestContext, request: Request): Promise<User> {
  const { env, db, clock } = context.services;
  const onRefusal = ({ refused }: Refusal) => db.emit("auth_refused", { reason: refused });
  const maxBytes = readBodyLimit(context.policy);
  const strategy = new MessengerStrategy({ bot: env, clock, maxBytes, onRefusal }, async ({ profile }) => {
    const query = new URL(request.url).searchParams;
    if (request.method === "GET" && !hasLoginStarted(context, query.get("state"))) {
      const refusal = Refusal("unknown_login_state", { success: false });
      onRefusal(refusal);
      throw sendToLogin(context, request, refusal);
    }
    const user = await signInByMessenger(context, profile);
    if (!isRefusal(user)) return user;
    onRefusal(user);
    if (request.method === "GET") throw sendToLogin(context, request, user);
    throw refusalResponse(Refusal(user.refused, { success: false, ...user.context }));
  });
  return new Authenticator<User>().use(strategy).authenticate(strategy.name, request);
}

export function signInByMessenger(
  context: RequestContext,
  { id, ...names }: MessengerProfile,
): Promise<User | Refusal> {
  const identity = { key: messengerKey(id), label: names.username ?? names.first_name };
  return signInByIdentity(context, identity, names);
}

function sendToLogin(context: RequestContext, request: Request, refusal: Refusal): Response {
  if (!wantsPage(request.headers.get("Accept"))) return refusalResponse(refusal);
  context.flash({ say: "refused", code: refusal.refused });
  const next = pathAfterSignIn(new URL(request.url).searchParams.get("next"), "");
  return redirect(next ? `${LOGIN_PATH}?next=${encodeURIComponent(next)}` : LOGIN_PATH);
}
