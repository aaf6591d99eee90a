import type { RequestContext } from "#app/web/request-context.ts";
import { isSameText, readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, SECOND_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";
import { normalizeSignInCode } from "#platform/secrets/sign-in-code.ts";

/**
 * The built-in people of a machine that runs the embedded default without a bot. The request has to come from this machine, and the browser
 * has to have shown the code that `npm start` prints, because other programs and accounts of the machine reach the same port.
 */
export const LOCAL_PEOPLE = { localAdmin: "1", localReader: "2" } as const;

const COOKIE = "local-browser";
const COOKIE_SECONDS = (365 * DAY_MS) / SECOND_MS;
const TRIES_PER_MINUTE = 10;

/** True if the local sign-in is offered: never in production, and never for a forwarded request. */
export function offersLocalSignIn({ services, isLocal }: RequestContext): boolean {
  return services.env.localSignIn && isLocal;
}

/** True if this browser has shown the current code; a new code makes all browsers unknown. */
export function isKnownBrowser(context: RequestContext): boolean {
  const { env } = context.services;
  return (
    readSignedValue(
      env.sessionSecret,
      browserPurpose(env.signInCode),
      context.session.keptCookie(COOKIE) ?? "",
    ) !== null
  );
}

/** Returns null if the browser is known or shows the right code. */
export function admitBrowser(context: RequestContext, code: string): Refusal | null {
  if (isKnownBrowser(context)) return null;
  const { env, rateCounter } = context.services;
  const retry_after = rateCounter.wait("sign-in code", TRIES_PER_MINUTE);
  if (retry_after !== null) return Refusal("rate_limit_exceeded", { retry_after });
  const expected = normalizeSignInCode(env.signInCode);
  if (expected === "" || !isSameText(normalizeSignInCode(code), expected))
    return Refusal("wrong_sign_in_code");
  const proof = signValue(env.sessionSecret, browserPurpose(env.signInCode), generateToken(16));
  context.session.keepCookie(COOKIE, proof, COOKIE_SECONDS);
  return null;
}

/** Makes this browser show the code again at its next login. */
export function forgetBrowser(context: Pick<RequestContext, "session">): void {
  if (context.session.keptCookie(COOKIE)) context.session.keepCookie(COOKIE, "", 0);
}

const browserPurpose = (code: string) => `local browser ${code}`;
