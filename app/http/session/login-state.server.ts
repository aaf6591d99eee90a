import { pseudonym, sameText } from "#app/http/session/signed-value.ts";
import type { RequestContext } from "#app/http/visit.ts";
import { DAY_MS, SECOND_MS } from "#platform/clock.ts";
import { newToken } from "#platform/ids.ts";

/**
 * Binds the widget's way back to the browser that began the login: the address it returns to carries a state that only this
 * browser's cookie goes with. A finished sign-in that somebody else sends as a link signs nobody in.
 */
const COOKIE = "login";
const COOKIE_SECONDS = DAY_MS / SECOND_MS;
const BROWSER = /^[\w-]{22}$/;

/** The state for the widget's address; pages of one browser that are open side by side share it. */
export function beginLogin(visit: RequestContext): string {
  const kept = keptBrowser(visit);
  const browser = kept ?? newToken(16);
  visit.keepCookie(COOKIE, browser, COOKIE_SECONDS);
  return signState(visit, browser);
}

export function isLoginBegun(visit: RequestContext, state: string | null): boolean {
  const browser = keptBrowser(visit);
  return browser !== null && state !== null && sameText(state, signState(visit, browser));
}

/** A state is good for one login. */
export function endLogin(visit: RequestContext): void {
  if (keptBrowser(visit) !== null) visit.keepCookie(COOKIE, "", 0);
}

function keptBrowser(visit: RequestContext): string | null {
  const kept = visit.keptCookie(COOKIE) ?? "";
  return BROWSER.test(kept) ? kept : null;
}

const signState = ({ services }: RequestContext, browser: string) =>
  pseudonym(services.env.sessionSecret, "login state", browser);
