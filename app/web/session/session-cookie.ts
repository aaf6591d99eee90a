import { toCookieHeader, toCookieName } from "#app/web/session/cookies.ts";
import { readSignedValue, signValue } from "#app/web/session/signed-value.ts";
import { SESSION_LIFETIME_MS } from "#db/accounts/sessions.server.ts";
import { isUserId } from "#domain/accounts/identity.ts";

/** Both ids are checked against the store before they are trusted. */
export type SessionName = { userId: string; sessionId: string };

const PURPOSE = "session";
const NAME = "session";

export function readSessionCookie(
  cookies: Map<string, string>,
  secure: boolean,
  secret: string,
): SessionName | null {
  const text = readSignedValue(secret, PURPOSE, cookies.get(toCookieName(NAME, { secure })) ?? "");
  const [, userId, sessionId] = /^(\w{1,24})\.([\w-]{20,64})$/.exec(text ?? "") ?? [];
  return userId === undefined || sessionId === undefined || !isUserId(userId) ? null : { userId, sessionId };
}

export function toSessionCookie(name: SessionName, secure: boolean, secret: string): string {
  const value = signValue(secret, PURPOSE, `${name.userId}.${name.sessionId}`);
  return toCookieHeader(NAME, value, { maxAgeSeconds: SESSION_LIFETIME_MS / 1000, secure });
}

export function toClearedSessionCookie(secure: boolean): string {
  return toCookieHeader(NAME, "", { maxAgeSeconds: 0, secure });
}
