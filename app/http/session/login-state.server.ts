import type { RequestContext } from "#app/http/request-context.ts";
import { pseudonym, sameText } from "#app/http/session/signed-value.ts";
import { DAY_MS, SECOND_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/**
 * Binds a login to the browser that began it: the address that the widget returns to carries a state that only this browser's cookie
 * goes with, and the challenge of a passkey is signed with it. A finished sign-in that somebody else sends signs nobody in.
 */
const COOKIE = "login";
const COOKIE_SECONDS = DAY_MS / SECOND_MS;
const BROWSER = /^[\w-]{22}$/;

/** The state for the widget's address; pages of one browser that are open side by side share it. */
export function beginLogin(context: RequestContext): string {
  const kept = keptBrowser(context);
  const browser = kept ?? newToken(16);
  context.keepCookie(COOKIE, browser, COOKIE_SECONDS);
  return signState(context, browser);
}

/** The state of what this browser began; null where it began nothing. */
export function readLoginState(context: RequestContext): string | null {
  const browser = keptBrowser(context);
  return browser === null ? null : signState(context, browser);
}

export function hasLoginStarted(context: RequestContext, state: string | null): boolean {
  const begun = readLoginState(context);
  return begun !== null && state !== null && sameText(state, begun);
}

/** A state is good for one login. */
export function endLogin(context: RequestContext): void {
  if (keptBrowser(context) !== null) context.keepCookie(COOKIE, "", 0);
}

function keptBrowser(context: RequestContext): string | null {
  const kept = context.keptCookie(COOKIE) ?? "";
  return BROWSER.test(kept) ? kept : null;
}

const signState = ({ services }: RequestContext, browser: string) =>
  pseudonym(services.env.sessionSecret, "login state", browser);
