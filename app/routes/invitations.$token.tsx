import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { keepInvitation } from "#app/web/session/sign-up.server.ts";
import { findUsableInvitation } from "#db/accounts/invitations.server.ts";

/** Stores the invitation in this browser and redirects to the login. Only creating an account uses it up. */
export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { db, clock } = context.services;
  const token = params.token ?? "";
  const isOpen = await findUsableInvitation(db, token, clock());
  if (isOpen && request.method !== "HEAD") keepInvitation(context, token);
  if (!isOpen) context.session.flash({ say: "refused", code: "invitation_ended" });
  return redirect(LOGIN_PATH);
}
