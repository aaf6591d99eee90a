import type { Request, Response } from "express";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readLocaleChoice } from "#app/web/session/choices.ts";
import { toCookieHeader, toCookieName } from "#app/web/session/cookies.ts";
import {
  type Flash,
  readFlash,
  readFlashCookie,
  toClearedFlashCookie,
  toFlashCookie,
} from "#app/web/session/flash.ts";
import {
  type SessionName,
  toClearedSessionCookie,
  toSessionCookie,
} from "#app/web/session/session-cookie.ts";
import { readShareKey, toShareKeyCookie } from "#app/web/session/share-key.ts";
import { recordSecurityEvent } from "#db/accounts/security-events.server.ts";
import { moveDevicesToSession } from "#db/accounts/session-devices.server.ts";
import {
  createSession,
  findUserBySession,
  recordSessionUse,
  removeSession,
  renewSession,
} from "#db/accounts/sessions.server.ts";
import { setUserLocale, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import { endAllCredentials } from "#db/operations/credentials.server.ts";
import { deviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import { effectiveRole, type Role } from "#domain/accounts/role.ts";
import type { SecurityEvent } from "#domain/accounts/security-event.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { Env } from "#platform/env/env.ts";

/** `sessionId` is null for a token, which only the JSON API accepts. */
export type SignedIn = { user: User; role: Role; sessionId: string | null };

/** A browser's cookies. Changes go to the browser with the answer. */
export type Session = {
  /** The person who is logged in. Throws a refusal if the account is locked. */
  signedIn(): Promise<SignedIn | null>;
  /** The person whose session this is, even if the account is locked, so that they can log out. */
  sessionHolder(): Promise<SignedIn | null>;
  signIn(user: User, method: IdentityKind): Promise<void>;
  recordSecurity(userId: string, event: SecurityEvent): Promise<void>;
  signOut(signedIn: SignedIn): Promise<void>;
  signOutEverywhere(signedIn: SignedIn): Promise<void>;
  keptCookie(name: string): string | null;
  keepCookie(name: string, value: string, maxAgeSeconds: number): void;
  shareKey(shareId: string): string | null;
  keepShareKey(shareId: string, key: string): void;
  flash(message: Flash): void;
  takeFlash(): Flash | null;
};

const RENEW_AFTER_MS = DAY_MS;
// People only see when a session was last used, so it is written at most this often.
const RECORD_USE_EVERY_MS = 10 * MINUTE_MS;

type SessionParts = {
  cookies: Map<string, string>;
  /** The session that the cookie names, not checked against the store. */
  sessionName: SessionName | null;
};

export function openSession(
  { env, db, clock }: { env: Env; db: Db; clock: Clock },
  { cookies, sessionName }: SessionParts,
  req: Request,
  res: Response,
): Session {
  const { secure } = req;
  const readDevice = () => deviceKind(req.get("User-Agent") ?? "");
  const setCookie = (header: string) => void res.append("Set-Cookie", header);
  let holder: Promise<SignedIn | null> | undefined;

  async function resumeSession({ userId, sessionId }: SessionName): Promise<SignedIn | null> {
    const now = clock();
    const record = await findUserBySession(db, userId, sessionId, now);
    if (!record) return null;
    const { user, renewed_at, used_at } = record;
    const dueForRenewal = now.getTime() - renewed_at.getTime() > RENEW_AFTER_MS;
    if (dueForRenewal && (await renewSession(db, userId, sessionId, now))) {
      setCookie(toSessionCookie({ userId, sessionId }, secure, env.sessionSecret));
    } else if (now.getTime() - used_at.getTime() > RECORD_USE_EVERY_MS) {
      await recordSessionUse(db, userId, sessionId, now);
    }
    return { user, role: effectiveRole(user, env), sessionId };
  }

  const session: Session = {
    signedIn: async () => refuseIfLocked(await session.sessionHolder()),
    sessionHolder: () => (holder ??= sessionName ? resumeSession(sessionName) : Promise.resolve(null)),
    recordSecurity: (userId, event) =>
      recordSecurityEvent(db, userId, { ...event, device: readDevice() }, clock()),
    signIn: async (user, method) => {
      if (user.locked_at) {
        await session.recordSecurity(user.id, { what: "login_refused", method });
        db.emit("auth_refused", { reason: "account_locked", resource: { type: "user", id: user.id } });
        throw toRefusalResponse(Refusal("account_locked", { success: false }));
      }
      const createdSession = await createSession(db, user, clock(), readDevice());
      if (sessionName?.userId === user.id)
        await moveDevicesToSession(db, user.id, sessionName.sessionId, createdSession.id);
      if (sessionName) await removeSession(db, sessionName.userId, sessionName.sessionId);
      const locale = readLocaleChoice(cookies, secure);
      if (locale && !user.locale) await setUserLocale(db, user.id, locale);
      setCookie(
        toSessionCookie({ userId: user.id, sessionId: createdSession.id }, secure, env.sessionSecret),
      );
      await session.recordSecurity(user.id, { what: "logged_in", method });
    },
    signOut: async ({ user, sessionId }) => {
      if (sessionId) await removeSession(db, user.id, sessionId);
      setCookie(toClearedSessionCookie(secure));
    },
    signOutEverywhere: async ({ user }) => {
      await endAllCredentials(db, user.id);
      await session.recordSecurity(user.id, { what: "all_ended" });
      setCookie(toClearedSessionCookie(secure));
    },
    keptCookie: (name) => cookies.get(toCookieName(name, { secure })) ?? null,
    keepCookie: (name, value, maxAgeSeconds) =>
      setCookie(toCookieHeader(name, value, { maxAgeSeconds, secure })),
    shareKey: (shareId) => readShareKey(cookies, shareId, secure),
    keepShareKey: (shareId, key) => setCookie(toShareKeyCookie(shareId, key, secure)),
    flash: (message) => setCookie(toFlashCookie(message, secure, env.sessionSecret)),
    takeFlash: () => {
      const cookie = readFlashCookie(cookies, secure);
      if (cookie === undefined) return null;
      setCookie(toClearedFlashCookie(secure));
      return readFlash(cookie, env.sessionSecret);
    },
  };
  return session;
}

function refuseIfLocked(holder: SignedIn | null): SignedIn | null {
  if (holder?.user.locked_at) throw toRefusalResponse(Refusal("account_locked"));
  return holder;
}
