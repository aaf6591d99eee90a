import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { toPublicOrigin } from "#app/web/session/oidc/oidc-login.server.ts";

/** Redirects a person who has logged out here to the provider, which asks before it ends its own session. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { oidc, log } = context.services;
  if (!oidc || request.method === "HEAD") return redirect("/");
  const url = await oidc.findLogout(`${toPublicOrigin(context, request)}/`).catch((error: unknown) => {
    log.warn("oidc_logout_failed", { error });
    return null;
  });
  return redirect(url ?? "/");
}
