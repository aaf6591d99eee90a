import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { claimPendingLogin, finishOidcLogin } from "#app/web/session/oidc/oidc-login.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const AFTER_LOGIN = "/dashboard";
const AFTER_JOIN = "/settings/sign-in";

/** Handles the redirect back from the provider. A HEAD request signs nobody in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const provider = context.services.oidc;
  if (!provider || request.method === "HEAD") return redirect(LOGIN_PATH);
  const pending = claimPendingLogin(context, new URL(request.url).searchParams.get("state"));
  if (!pending) context.services.db.emit("auth_refused", { reason: "unknown_login_state" });
  const user = pending
    ? await finishOidcLogin(context, provider, request, pending)
    : Refusal("unknown_login_state");
  if (isRefusal(user)) {
    context.session.flash({ say: "refused", code: user.refused });
    return redirect(pending?.joins ? AFTER_JOIN : LOGIN_PATH);
  }
  if (pending?.joins) {
    await context.session.recordSecurity(user.id, { what: "method_added", method: "oidc" });
    context.session.flash({ say: "identity_changed", what: "joined" });
    return redirect(AFTER_JOIN);
  }
  await context.session.signIn(user, "oidc");
  return redirect(pending?.next || AFTER_LOGIN);
}
