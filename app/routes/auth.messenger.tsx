import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { authenticate } from "#app/http/authenticator.server.ts";
import { done } from "#app/http/replies.server.ts";
import { sameSitePath } from "#domain/same-site-path.ts";

const AFTER_LOGIN = "/dashboard";

/** The widget's redirect mode brings the fields in the query; its data posted by a page or a script comes in the body. */
async function signIn({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const user = await authenticate(context, request);
  await context.signIn(user);
  const goTo = sameSitePath(new URL(request.url).searchParams.get("next"), AFTER_LOGIN);
  return done(request, { success: true, redirect: goTo }, goTo);
}

export const loader = signIn;
export const action = signIn;

/** Never shown: a sign-in ends in a redirect or in the error page. With a component it gets that page. */
export default function SignIn() {
  return null;
}
