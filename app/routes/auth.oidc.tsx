import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { beginOidcLogin, isJoinProof } from "#app/web/session/oidc/oidc-login.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";

const AFTER_LOGIN = "/dashboard";
const CALLBACK = "/auth/oidc/callback";
const AFTER_JOIN = "/settings/sign-in";

/**
 * Redirects to the provider, to sign in or to add it to the current account. This is a link, because the security policy allows forms to
 * lead to this site only.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const provider = context.services.oidc;
  const proof = query.get("join");
  const next = pathAfterSignIn(query.get("next"), "");
  const signedIn = await context.session.signedIn();
  if (proof === null && signedIn) return redirect(next || AFTER_LOGIN);
  if (!provider || request.method === "HEAD") return redirect(LOGIN_PATH);
  if (proof !== null && !isJoinProof(context, signedIn?.sessionId ?? null, proof))
    throw toRefusalResponse(Refusal("unknown_login_state"));
  const joins = proof === null ? null : (signedIn?.user.id ?? null);
  const url = await beginOidcLogin(context, provider, request, { next, joins, callbackPath: CALLBACK });
  if (!isRefusal(url)) return redirect(url);
  context.session.flash({ say: "refused", code: url.refused });
  return redirect(joins ? AFTER_JOIN : LOGIN_PATH);
}
