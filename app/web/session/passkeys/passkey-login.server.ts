import { Authenticator } from "remix-auth";
import type { RequestContext } from "#app/web/request-context.ts";
import { beginLogin, readLoginState } from "#app/web/session/login-state.server.ts";
import { readClientChallenge, readUsedPasskey } from "#app/web/session/passkeys/passkey-answer.server.ts";
import {
  claimChallenge,
  createChallenge,
  isChallenge,
} from "#app/web/session/passkeys/passkey-challenge.server.ts";
import { PasskeyStrategy, type VerifiedPasskey } from "#app/web/session/passkeys/passkey-strategy.server.ts";
import { toUserHandle } from "#app/web/session/passkeys/passkey-user.ts";
import { findUserByIdentity } from "#db/accounts/identities.server.ts";
import { findPasskey, recordPasskeyUse } from "#db/accounts/passkeys.server.ts";
import { recordSignIn, type User } from "#db/accounts/users.server.ts";
import { type PasskeySite, passkeyKey, toPasskeySite } from "#domain/accounts/passkey.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

export function findPasskeySite({ services, isLocal }: RequestContext, request: Request): PasskeySite | null {
  const { publicOrigin } = services.env;
  if (publicOrigin) return toPasskeySite(publicOrigin);
  return isLocal ? toPasskeySite(new URL(request.url).origin) : null;
}

export type PasskeyHindrance = "not_configured" | "address";

/** Returns the reason why there are no passkeys: no address is configured, or browsers accept no passkeys for it. Null if there are. */
export function findPasskeyHindrance(context: RequestContext, request: Request): PasskeyHindrance | null {
  if (findPasskeySite(context, request)) return null;
  return context.services.env.publicOrigin || context.isLocal ? "address" : "not_configured";
}

export async function makeLoginOptions(context: RequestContext, { rpId }: PasskeySite) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const challenge = createChallenge(context, { login: beginLogin(context) });
  return generateAuthenticationOptions({ rpID: rpId, challenge, userVerification: "required" });
}

export async function signInByPasskey(
  context: RequestContext,
  request: Request,
  site: PasskeySite,
  sent: string,
): Promise<User | Refusal> {
  const user = await checkAnswer(context, request, site, sent);
  if (isRefusal(user)) context.services.db.emit("auth_refused", { reason: user.refused });
  return user;
}

async function checkAnswer(
  context: RequestContext,
  request: Request,
  site: PasskeySite,
  sent: string,
): Promise<User | Refusal> {
  const { db, log } = context.services;
  const answer = readUsedPasskey(sent);
  if (isRefusal(answer)) return answer;
  const login = readLoginState(context);
  if (login === null) return Refusal("passkey_failed");
  const strategy = new PasskeyStrategy(
    {
      site,
      answer,
      isChallenge: (received) => isChallenge(context, { login }, received),
      findPasskey: (credentialId) => findPasskey(db, credentialId),
      onError: (error) => log.warn("passkey_login_failed", { error }),
    },
    async (verified) => {
      const isFirst = await claimChallenge(context, { login }, readClientChallenge(answer));
      return isFirst ? signInPasskeyUser(context, verified) : Refusal("passkey_failed");
    },
  );
  // The body has been read already, so the strategy gets a request without it.
  const { name } = strategy;
  return new Authenticator<User | Refusal>().use(strategy).authenticate(name, new Request(request.url));
}

/** Signs in to the account that lists the passkey. A passkey never creates an account. */
async function signInPasskeyUser(
  context: RequestContext,
  { credentialId, counter, userHandle }: VerifiedPasskey,
): Promise<User | Refusal> {
  const { db, clock, log } = context.services;
  const user = await findUserByIdentity(db, passkeyKey(credentialId));
  if (!user || user.leaving_at) return Refusal("passkey_unknown");
  if (userHandle !== toUserHandle(user.id)) return Refusal("passkey_failed");
  if (!(await recordPasskeyUse(db, credentialId, counter, clock()))) {
    log.warn("passkey_counter_repeated", { counter });
    await context.session.recordSecurity(user.id, { what: "login_refused", method: "passkey" });
    return Refusal("passkey_failed");
  }
  return recordSignIn(db, user, clock());
}
