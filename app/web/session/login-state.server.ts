import type { RequestContext } from "#app/web/request-context.ts";
import { createPseudonym, isSameText } from "#app/web/session/signed-value.ts";
import { DAY_MS, SECOND_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

/**
 * Binds a login to the browser that began it: the widget's return address carries a state that matches only this browser's cookie, and the
 * challenge of a passkey is signed with it. A finished sign-in planted by another person signs nobody in.
 */
const COOKIE = "login";
const COOKIE_SECONDS = DAY_MS / SECOND_MS;
const BROWSER = /^[\w-]{22}$/;

export function beginLogin(context: RequestContext): string {
  const existing = readBrowserId(context);
  const browser = existing ?? generateToken(16);
  context.session.keepCookie(COOKIE, browser, COOKIE_SECONDS);
  return signState(context, browser);
}

export function readLoginState(context: RequestContext): string | null {
  const browser = readBrowserId(context);
  return browser === null ? null : signState(context, browser);
}

export function hasLoginStarted(context: RequestContext, state: string | null): boolean {
  const begun = readLoginState(context);
  return begun !== null && state !== null && isSameText(state, begun);
}

/** Ends the login, because a state is good for one. */
export function endLogin(context: RequestContext): void {
  if (readBrowserId(context) !== null) context.session.keepCookie(COOKIE, "", 0);
}

function readBrowserId(context: RequestContext): string | null {
  const browser = context.session.keptCookie(COOKIE) ?? "";
  return BROWSER.test(browser) ? browser : null;
}

const signState = ({ services }: RequestContext, browser: string) =>
  createPseudonym(services.env.sessionSecret, "login state", browser);
