import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import {
  answerSuccess,
  requireValue,
  SEE_OTHER,
  toRefusalResponse,
} from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { endLogin } from "#app/web/session/login-state.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import {
  findPasskeySite,
  makeLoginOptions,
  signInByPasskey,
} from "#app/web/session/passkeys/passkey-login.server.ts";
import { makeRegistrationOptions } from "#app/web/session/passkeys/passkey-registration.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";
import { passkeyForm } from "./form.server.ts";

const AFTER_LOGIN = "/dashboard";

/** Returns a challenge for a passkey, valid for a few minutes: to log in, or with `new` to create one for the current account. */
export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const site = requireValue(findPasskeySite(context, request), Refusal("not_found"));
  const isNew = new URL(request.url).searchParams.has("new");
  const options = isNew
    ? await makeRegistrationOptions(context, await requireUser(args), site)
    : await makeLoginOptions(context, site);
  return Response.json(options, { headers: { "Cache-Control": "no-store" } });
}

/** Checks the answer of a passkey. The login page shows a refusal. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = requireValue(findPasskeySite(context, request), Refusal("not_found"));
  const form = await readForm({ request, context }, passkeyForm);
  const user = isRefusal(form) ? form : await signInByPasskey(context, request, site, form.credential);
  const next = pathAfterSignIn(new URL(request.url).searchParams.get("next"), "");
  if (isRefusal(user)) {
    if (!wantsPage(request.headers.get("Accept"))) throw toRefusalResponse(user);
    context.session.flash({ say: "refused", code: user.refused });
    return redirect(next ? `${LOGIN_PATH}?next=${encodeURIComponent(next)}` : LOGIN_PATH, SEE_OTHER);
  }
  await context.session.signIn(user, "passkey");
  endLogin(context);
  const goTo = next || AFTER_LOGIN;
  return answerSuccess(request, { success: true, redirect: goTo }, goTo);
}

export const handle: RouteHandle = { bodyMaxBytes: 16 * 1024 };
