import { redirect } from "@remix-run/node";
import { prefersJsonToHtml, wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { parseBearer } from "#app/web/session/bearer.ts";
import { answerKeptForm } from "#app/web/session/kept-form.server.ts";
import { LOGIN_PATH } from "#app/web/session/login-widget.ts";
import { isFromReader } from "#app/web/session/reader.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { scopeAllows, type TokenScope } from "#domain/accounts/access-token.ts";
import { effectiveRole } from "#domain/accounts/role.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SAME_SITE_PATH_MAX } from "#domain/same-site-path.ts";

const INVALID_TOKEN = "This token is not valid.";
const NO_ADMIN_TOKEN = "Administrators' endpoints take no tokens. Log in instead.";

type RouteArguments = { request: Request; context: RequestContext };

/**
 * Returns the person who is logged in. Others are redirected to log in and return afterwards; a form sent after the session ended gets its
 * texts back; an API caller gets an error, as does a form that one person began and another sends.
 */
export async function requireUser(routeArguments: RouteArguments): Promise<SignedIn> {
  const { request, context } = routeArguments;
  const signedIn = await context.session.signedIn();
  const { sessionSecret } = context.services.env;
  if (signedIn && isFromReader(request, sessionSecret, signedIn.user.id)) return signedIn;
  if (!wantsPage(request.headers.get("Accept"))) {
    const bearer = readBearer(routeArguments);
    if (bearer !== null && (await findHolder(routeArguments, bearer)))
      throw toRefusalResponse(Refusal("session_required"));
    throw toRefusalResponse(Refusal("auth_required", { redirect: LOGIN_PATH }));
  }
  const form =
    request.method === "POST" ? await answerKeptForm(request, context.claimedUserId !== null) : null;
  if (form) throw form;
  throw redirect(`${LOGIN_PATH}?next=${encodeURIComponent(toReturnPath(request))}`);
}

export const requireReader = (routeArguments: RouteArguments): Promise<SignedIn> =>
  prefersJsonToHtml(routeArguments.request.headers.get("Accept"))
    ? requireCaller(routeArguments)
    : requireUser(routeArguments);

export async function requireSessionHolder(routeArguments: RouteArguments): Promise<SignedIn> {
  return (await routeArguments.context.session.sessionHolder()) ?? requireUser(routeArguments);
}

export async function requireAdmin(routeArguments: RouteArguments): Promise<SignedIn> {
  const signedIn = await requireUser(routeArguments);
  if (signedIn.role !== "admin") throw toRefusalResponse(Refusal("admin_only"));
  return signedIn;
}

/** Returns the caller of the JSON API: by the token if one is sent, otherwise by the session. */
export async function requireCaller(routeArguments: RouteArguments): Promise<SignedIn> {
  const bearer = readBearer(routeArguments);
  if (bearer === null) return requireUser(routeArguments);
  const holder = await findHolder(routeArguments, bearer);
  if (!holder)
    throw toRefusalResponse(Refusal("auth_required", { message: INVALID_TOKEN, redirect: LOGIN_PATH }), {
      "WWW-Authenticate": "Bearer",
    });
  if (!scopeAllows(holder.scope, routeArguments.request.method))
    throw toRefusalResponse(Refusal("read_only_token"));
  return holder.signedIn;
}

/** Returns the holder of a token and its scope. Sessions are not accepted. The calling code checks what the scope allows. */
export async function requireTokenHolder(
  routeArguments: RouteArguments,
): Promise<{ signedIn: SignedIn; scope: TokenScope }> {
  const bearer = readBearer(routeArguments);
  const holder = bearer === null ? null : await findHolder(routeArguments, bearer);
  const context = bearer === null ? {} : { message: INVALID_TOKEN };
  if (!holder) throw toRefusalResponse(Refusal("auth_required", context), { "WWW-Authenticate": "Bearer" });
  return holder;
}

/** Returns the calling administrator. Tokens are refused. */
export async function requireAdminCaller(routeArguments: RouteArguments): Promise<SignedIn> {
  const signedIn = await requireCaller(routeArguments);
  if (signedIn.role !== "admin") throw toRefusalResponse(Refusal("admin_only"));
  if (signedIn.sessionId === null)
    throw toRefusalResponse(Refusal("admin_only", { message: NO_ADMIN_TOKEN }));
  return signedIn;
}

/** Returns the caller, or null for anyone not signed in. Only the holder of a locked account is refused. */
export async function findCaller(routeArguments: RouteArguments): Promise<Caller | null> {
  const bearer = readBearer(routeArguments);
  if (bearer !== null) {
    const holder = await findHolder(routeArguments, bearer);
    return holder && { ...holder.signedIn, scope: holder.scope };
  }
  const signedIn = await routeArguments.context.session.signedIn();
  return signedIn && { ...signedIn, scope: null };
}

/** `scope` is what their token allows; null for a session. */
type Caller = SignedIn & { scope: TokenScope | null };

const readBearer = ({ request }: RouteArguments) => parseBearer(request.headers.get("Authorization"));

async function findHolder(
  { context }: RouteArguments,
  bearer: string,
): Promise<{ signedIn: SignedIn; scope: TokenScope } | null> {
  const { env, bearers } = context.services;
  const holder = await bearers.findHolder(bearer);
  if (!holder) return null;
  if (isRefusal(holder)) throw toRefusalResponse(holder);
  const { user, scope } = holder;
  return { signedIn: { user, role: effectiveRole(user, env), sessionId: null }, scope };
}

/**
 * Returns the page to come back to after logging in: the address, or if it is too long for a header, its path without the query, or the
 * home page.
 */
export function toReturnPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return [pathname + search, pathname].find(({ length }) => length <= SAME_SITE_PATH_MAX) ?? "/";
}
