import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { LOGIN_PATH } from "#app/http/session/login-widget.ts";
import { keepInvitation } from "#app/http/session/sign-up.server.ts";
import { findInvitation } from "#db/accounts/invitations.server.ts";

/** Remembers the invitation in this browser and leads to the login; only an account that is made uses it up. */
export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { db, clock } = context.services;
  const token = params.token ?? "";
  const isOpen = await findInvitation(db, token, clock());
  if (isOpen && request.method !== "HEAD") keepInvitation(context, token);
  if (!isOpen) context.flash({ say: "refused", code: "invitation_ended" });
  return redirect(LOGIN_PATH);
}

export const headers = () => ({ "Cache-Control": "no-store" });

/** Never shown: it leads on. With a component it gets the error page. */
export default function Invitation() {
  return null;
}
