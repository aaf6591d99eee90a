import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { answerSuccess } from "#app/web/answers/replies.server.ts";
import { authenticate } from "#app/web/session/authenticator.server.ts";
import { endLogin } from "#app/web/session/login-state.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";

const AFTER_LOGIN = "/dashboard";

/** In its redirect mode the widget sends the fields in the query; a page or a script posts them in the body. */
async function signIn({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const user = await authenticate(context, request);
  await context.session.signIn(user, "messenger");
  endLogin(context);
  const goTo = pathAfterSignIn(new URL(request.url).searchParams.get("next"), AFTER_LOGIN);
  return answerSuccess(request, { success: true, redirect: goTo }, goTo);
}

/** A HEAD request signs nobody in. */
export const loader = async (args: LoaderFunctionArgs) =>
  args.request.method === "HEAD" ? redirect(LOGIN_PATH) : signIn(args);

export const action = signIn;

export const handle: RouteHandle = { bodyMaxBytes: 16 * 1024 };
