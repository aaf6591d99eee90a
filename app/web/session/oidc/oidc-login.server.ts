import { Authenticator } from "remix-auth";
import { z } from "zod";
import type { RequestContext } from "#app/web/request-context.ts";
import type { OidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import { OidcStrategy, toOidcRefusal } from "#app/web/session/oidc/oidc-strategy.server.ts";
import { signInByIdentity } from "#app/web/session/sign-in.server.ts";
import { createPseudonym, isSameText, readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { addIdentity, oidcKey, type ProvenIdentity } from "#db/accounts/identities.server.ts";
import { setGroupRole } from "#db/accounts/people.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { type OidcClaims, readGroupRole, readLabel, readNames } from "#domain/accounts/oidc-claims.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";

/**
 * A login at the provider, from the redirect to the return. The values that the return is checked against are in a signed cookie of the
 * same browser, for ten minutes and one use.
 */
const COOKIE = "oidc";
const PURPOSE = "oidc login";
const LIFETIME_MS = 10 * MINUTE_MS;

const pendingLogin = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** The account to which the identity is added, or null for a sign-in. */
  joins: z.string().nullable(),
  until: z.number(),
});
type PendingLogin = z.output<typeof pendingLogin>;

/** Returns the origin as people and the provider know it. */
export function toPublicOrigin({ services }: Pick<RequestContext, "services">, request: Request): string {
  return services.env.publicOrigin ?? new URL(request.url).origin;
}

/** Creates the proof that protects a link which adds an identity: another site cannot compute it, so it cannot start adding one. */
export function createJoinProof({ services }: RequestContext, sessionId: string): string {
  return createPseudonym(services.env.sessionSecret, "join identity", sessionId);
}

export function isJoinProof(context: RequestContext, sessionId: string | null, proof: string): boolean {
  return sessionId !== null && isSameText(proof, createJoinProof(context, sessionId));
}

type LoginRequest = Pick<PendingLogin, "next" | "joins"> & { callbackPath: string };

/** Returns the provider's address and leaves the checks in the browser. */
export async function beginOidcLogin(
  context: RequestContext,
  provider: OidcProvider,
  request: Request,
  { callbackPath, ...loginRequest }: LoginRequest,
): Promise<string | Refusal> {
  const { env, clock, db, log } = context.services;
  const begun = await provider.begin(toPublicOrigin(context, request) + callbackPath).catch((error) => {
    const refusal = toOidcRefusal(error);
    log.warn("oidc_login_failed", { reason: refusal.refused, error });
    db.emit("auth_refused", { reason: refusal.refused });
    return refusal;
  });
  if (isRefusal(begun)) return begun;
  const pending: PendingLogin = { ...begun.checks, ...loginRequest, until: clock().getTime() + LIFETIME_MS };
  const text = Buffer.from(JSON.stringify(pending)).toString("base64url");
  context.session.keepCookie(COOKIE, signValue(env.sessionSecret, PURPOSE, text), LIFETIME_MS / SECOND_MS);
  return begun.url;
}

export function claimPendingLogin(context: RequestContext, state: string | null): PendingLogin | null {
  const { env, clock } = context.services;
  const cookie = context.session.keptCookie(COOKIE);
  if (cookie === null) return null;
  context.session.keepCookie(COOKIE, "", 0);
  const text = readSignedValue(env.sessionSecret, PURPOSE, cookie);
  if (text === null) return null;
  const pending = pendingLogin.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  const isOurs = state !== null && isSameText(state, pending.state);
  return isOurs && pending.until > clock().getTime() ? pending : null;
}

export function finishOidcLogin(
  context: RequestContext,
  provider: OidcProvider,
  request: Request,
  pending: PendingLogin,
): Promise<User | Refusal> {
  const { db, log } = context.services;
  const { pathname, search } = new URL(request.url);
  const currentUrl = new URL(toPublicOrigin(context, request) + pathname + search);
  const onRefusal = ({ refused }: Refusal, error: unknown) => {
    log.warn("oidc_login_failed", { reason: refused, error });
    db.emit("auth_refused", { reason: refused });
  };
  const strategy = new OidcStrategy({ provider, checks: pending, currentUrl, onRefusal }, (claims) =>
    pending.joins === null
      ? signInByClaims(context, claims)
      : addIdentityByClaims(context, claims, pending.joins),
  );
  return new Authenticator<User | Refusal>().use(strategy).authenticate(strategy.name, request);
}

const toIdentity = (claims: OidcClaims): ProvenIdentity => ({
  key: oidcKey(claims.iss, claims.sub),
  label: readLabel(claims),
});

async function signInByClaims(context: RequestContext, claims: OidcClaims): Promise<User | Refusal> {
  const { oidc } = context.services.env;
  const isVouchedFor = oidc !== null && readGroupRole(claims, oidc) !== null;
  const user = await signInByIdentity(context, toIdentity(claims), readNames(claims), { isVouchedFor });
  if (!isRefusal(user)) await updateGroupRole(context, claims, user);
  return user;
}

/** Adds the identity, but only to the account that began it, and only while that account is still signed in here. */
async function addIdentityByClaims(
  context: RequestContext,
  claims: OidcClaims,
  userId: string,
): Promise<User | Refusal> {
  const { db, clock } = context.services;
  const signedIn = await context.session.signedIn();
  if (signedIn?.user.id !== userId) return Refusal("unknown_login_state");
  const joined = await addIdentity(db, signedIn.user, toIdentity(claims), clock());
  if (isRefusal(joined)) return joined;
  await updateGroupRole(context, claims, signedIn.user);
  return signedIn.user;
}

/** Sets the role that the person's groups give, at every login at the provider. */
async function updateGroupRole(
  { services }: RequestContext,
  claims: OidcClaims,
  { id }: User,
): Promise<void> {
  const { env, db } = services;
  if (env.oidc?.adminGroup || env.oidc?.premiumGroup)
    await setGroupRole(db, id, readGroupRole(claims, env.oidc));
}
