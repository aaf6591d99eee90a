import type { Request, Response } from "express";
import type { Codehost } from "#app/codehost/codehost.ts";
import type { Explainer } from "#app/explain/explainer.ts";
import type { Reading } from "#app/reading.ts";
import type { Theme } from "#app/theme.ts";
import type { AnnouncementWatch } from "#app/web/answers/announcement-watch.ts";
import { refusalResponse } from "#app/web/answers/replies.server.ts";
import { isFromOtherSite } from "#app/web/door/cross-site.ts";
import { type Early, readEarly } from "#app/web/door/early-request.ts";
import { isLocalRequest } from "#app/web/door/local-request.ts";
import type { RateCounter } from "#app/web/door/rate-limit.ts";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";
import type { Visitors } from "#app/web/door/visitors.ts";
import { type Bearers, parseToken } from "#app/web/session/bearer.ts";
import { chosenLocale, chosenReading, chosenTheme } from "#app/web/session/choices.ts";
import { cookieHeader, cookieName, parseCookies } from "#app/web/session/cookies.ts";
import {
  clearedFlashCookie,
  type Flash,
  flashCookie,
  readFlash,
  readFlashCookie,
} from "#app/web/session/flash.ts";
import type { OidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import {
  clearedSessionCookie,
  readSessionCookie,
  type SessionName,
  sessionCookie,
} from "#app/web/session/session-cookie.ts";
import { readShareKey, shareKeyCookie } from "#app/web/session/share-key.ts";
import { endAllCredentials } from "#db/accounts/credentials.server.ts";
import { recordSecurityEvent } from "#db/accounts/security-events.server.ts";
import { moveDevices } from "#db/accounts/session-devices.server.ts";
import {
  createSession,
  findBySession,
  removeSession,
  renewSession,
  setSessionUsed,
} from "#db/accounts/sessions.server.ts";
import { setUserLocale, type User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import type { RequestTimings } from "#db/events/request-timings.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { deviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import { effectiveRole, type Role } from "#domain/accounts/role.ts";
import type { SecurityEvent } from "#domain/accounts/security-event.ts";
import type { RunsUnderWay } from "#domain/code-runs/runs-under-way.ts";
import { isLocale, type Locale, negotiateLocale } from "#domain/locale.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

export type FaultCode = "storage_unavailable" | "disk_full" | "writing_paused" | "internal";

/** Created once when the web process starts, and passed to every request. */
export type WebServices = {
  env: Env;
  db: Db;
  queue: Queue;
  threads: ThreadPool;
  visitors: Visitors;
  explainer: Explainer;
  codehost: Codehost;
  oidc: OidcProvider | null;
  bearers: Bearers;
  runsUnderWay: RunsUnderWay;
  rateCounter: RateCounter;
  announcement: AnnouncementWatch;
  log: Log;
  metrics: Metrics;
  timings: RequestTimings;
  clock: Clock;
};

/** `sessionId` is null for a token, which only the JSON API accepts. */
export type SignedIn = { user: User; role: Role; sessionId: string | null };

/** One request; routes get it as their load context. */
export type RequestContext = {
  services: WebServices;
  requestId: string;
  /** True if the request sends something, such as a form. The error page then asks the person to send it again. */
  isSending: boolean;
  /** How the browser prefetches the page; null if a person asked for it. */
  early: Early | null;
  /** The path pattern of the API endpoint that answers; null for pages, whose pattern is their route. */
  pattern: string | null;
  routeName(): string;
  /** The limits and headers that the `handle` of its route declares. */
  policy: RoutePolicy;
  theme: Theme;
  reading: Reading;
  /** The account that the cookie or token names, not checked against the store: only for counting requests. Null for an unknown token. */
  claimedUserId: string | null;
  /** Why the request was refused before it reached a route, for the error page. */
  refusal: Refusal | null;
  /** What the error page shows; null for every other page. */
  refused: globalThis.Response | null;
  /** HTML of code that is too large for a loader's data, by digest (see `LargeCode`). */
  largeHtml: Map<string, readonly Uint8Array[]>;
  /** True if the browser is on this machine, with nothing in between. */
  isLocal: boolean;
  isFromOtherSite: boolean;
  /** The person who is logged in. Throws a refusal if the account is locked. */
  signedIn(): Promise<SignedIn | null>;
  /** The person whose session this is, even if the account is locked, so that they can log out. */
  sessionHolder(): Promise<SignedIn | null>;
  locale(): Promise<Locale>;
  /** Aborted when the connection ends. Remix's own signal never aborts once its request has been garbage-collected. */
  clientGone(): AbortSignal;
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

declare module "@remix-run/node" {
  interface AppLoadContext extends RequestContext {}
}

const RENEW_AFTER_MS = DAY_MS;
// People only see when a session was last used, so it is written at most this often.
const RECORD_USE_EVERY_MS = 10 * MINUTE_MS;

export function createRequestContext(
  services: WebServices,
  policy: RoutePolicy,
  req: Request,
  res: Response,
): RequestContext {
  const { env, db, clock } = services;
  const { secure } = req;
  const cookies = parseCookies(req.headers.cookie);
  const bearer = parseToken(req.get("Authorization"));
  const sessionName = readSessionCookie(cookies, secure, env.sessionSecret);
  const readDevice = () => deviceKind(req.get("User-Agent") ?? "");
  const setCookie = (header: string) => void res.append("Set-Cookie", header);
  let holder: Promise<SignedIn | null> | undefined;
  let closed: AbortSignal | null = null;

  async function findSignedIn({ userId, sessionId }: SessionName): Promise<SignedIn | null> {
    const now = clock();
    const record = await findBySession(db, userId, sessionId, now);
    if (!record) return null;
    const { user, renewed_at, used_at } = record;
    const dueForRenewal = now.getTime() - renewed_at.getTime() > RENEW_AFTER_MS;
    if (dueForRenewal && (await renewSession(db, userId, sessionId, now))) {
      setCookie(sessionCookie({ userId, sessionId }, secure, env.sessionSecret));
    } else if (now.getTime() - used_at.getTime() > RECORD_USE_EVERY_MS) {
      await setSessionUsed(db, userId, sessionId, now);
    }
    return { user, role: effectiveRole(user, env), sessionId };
  }

  const context: RequestContext = {
    services,
    requestId: res.locals.requestId,
    isSending: req.method !== "GET" && req.method !== "HEAD",
    early: readEarly(req),
    pattern: null,
    routeName: () => context.pattern ?? res.locals.route ?? "other",
    policy,
    theme: chosenTheme(cookies, secure),
    reading: chosenReading(cookies, secure),
    claimedUserId: (bearer && services.bearers.findOwner(bearer)) ?? sessionName?.userId ?? null,
    refusal: null,
    refused: null,
    largeHtml: new Map(),
    isLocal: isLocalRequest(req),
    isFromOtherSite: isFromOtherSite(req),
    signedIn: async () => unlessLocked(await context.sessionHolder()),
    sessionHolder: () => (holder ??= sessionName ? findSignedIn(sessionName) : Promise.resolve(null)),
    locale: () => chooseLocale(context, cookies, req),
    clientGone: () => (closed ??= createCloseSignal(res)),
    recordSecurity: (userId, event) =>
      recordSecurityEvent(db, userId, { ...event, device: readDevice() }, clock()),
    signIn: async (user, method) => {
      if (user.locked_at) {
        await context.recordSecurity(user.id, { what: "login_refused", method });
        db.emit("auth_refused", { reason: "account_locked", resource: { type: "user", id: user.id } });
        throw refusalResponse(Refusal("account_locked", { success: false }));
      }
      const session = await createSession(db, user, clock(), readDevice());
      if (sessionName?.userId === user.id) await moveDevices(db, user.id, sessionName.sessionId, session.id);
      if (sessionName) await removeSession(db, sessionName.userId, sessionName.sessionId);
      const locale = chosenLocale(cookies, secure);
      if (locale && !user.locale) await setUserLocale(db, user.id, locale);
      setCookie(sessionCookie({ userId: user.id, sessionId: session.id }, secure, env.sessionSecret));
      await context.recordSecurity(user.id, { what: "logged_in", method });
    },
    signOut: async ({ user, sessionId }) => {
      if (sessionId) await removeSession(db, user.id, sessionId);
      setCookie(clearedSessionCookie(secure));
    },
    signOutEverywhere: async ({ user }) => {
      await endAllCredentials(db, user.id);
      await context.recordSecurity(user.id, { what: "all_ended" });
      setCookie(clearedSessionCookie(secure));
    },
    keptCookie: (name) => cookies.get(cookieName(name, { secure })) ?? null,
    keepCookie: (name, value, maxAgeSeconds) =>
      setCookie(cookieHeader(name, value, { maxAgeSeconds, secure })),
    shareKey: (shareId) => readShareKey(cookies, shareId, secure),
    keepShareKey: (shareId, key) => setCookie(shareKeyCookie(shareId, key, secure)),
    flash: (message) => setCookie(flashCookie(message, secure, env.sessionSecret)),
    takeFlash: () => {
      const cookie = readFlashCookie(cookies, secure);
      if (cookie === undefined) return null;
      setCookie(clearedFlashCookie(secure));
      return readFlash(cookie, env.sessionSecret);
    },
  };
  return context;
}

function createCloseSignal(res: Response): AbortSignal {
  const closed = new AbortController();
  if (res.closed) closed.abort();
  else res.once("close", () => closed.abort());
  return closed.signal;
}

function unlessLocked(holder: SignedIn | null): SignedIn | null {
  if (holder?.user.locked_at) throw refusalResponse(Refusal("account_locked"));
  return holder;
}

/** The language from the cookie, else from the account, else from Accept-Language. It never fails. */
async function chooseLocale(
  context: RequestContext,
  cookies: Map<string, string>,
  req: Request,
): Promise<Locale> {
  const chosen = chosenLocale(cookies, req.secure);
  if (chosen) return chosen;
  const signedIn = context.refusal ? null : await context.sessionHolder().catch(() => null);
  if (isLocale(signedIn?.user.locale)) return signedIn.user.locale;
  return negotiateLocale(req.headers["accept-language"] ?? "");
}
