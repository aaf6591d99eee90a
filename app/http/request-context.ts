import type { Request, Response } from "express";
import type { Codehost } from "#app/codehost/codehost.ts";
import type { Explainer } from "#app/explain/explainer.ts";
import type { AnnouncementWatch } from "#app/http/answers/announcement-watch.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { isFromOtherSite } from "#app/http/door/cross-site.ts";
import { isLocalRequest } from "#app/http/door/local-request.ts";
import type { RateCounter } from "#app/http/door/rate-limit.ts";
import type { RoutePolicy } from "#app/http/door/route-policy.ts";
import { type Bearers, tokenIn } from "#app/http/session/bearer.ts";
import { chosenLocale, chosenReading, chosenTheme } from "#app/http/session/choices.ts";
import { cookieHeader, cookieName, parseCookies } from "#app/http/session/cookies.ts";
import {
  clearedFlashCookie,
  type Flash,
  flashCookie,
  keptFlash,
  readFlash,
} from "#app/http/session/flash.ts";
import type { OidcProvider } from "#app/http/session/oidc/oidc-provider.ts";
import {
  clearedSessionCookie,
  readSessionCookie,
  type SessionName,
  sessionCookie,
} from "#app/http/session/session-cookie.ts";
import { keptShareKey, shareKeyCookie } from "#app/http/session/share-key.ts";
import type { Reading } from "#app/reading.ts";
import type { Theme } from "#app/theme.ts";
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
import type { User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import type { RequestTimings } from "#db/events/request-timings.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { deviceKind } from "#domain/accounts/device.ts";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import { effectiveRole, type Role } from "#domain/accounts/role.ts";
import type { SecurityEvent } from "#domain/accounts/security-event.ts";
import { isLocale, type Locale, negotiateLocale } from "#domain/locale.ts";
import { Refusal } from "#domain/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

/** What a request that failed is answered with. */
export type FaultCode = "storage_unavailable" | "writing_paused" | "internal";

/** What the web process made once at its door and every request is handed. */
export type WebServices = {
  env: Env;
  db: Db;
  queue: Queue;
  threads: ThreadPool;
  explainer: Explainer;
  codehost: Codehost;
  oidc: OidcProvider | null;
  bearers: Bearers;
  rateCounter: RateCounter;
  announcement: AnnouncementWatch;
  log: Log;
  metrics: Metrics;
  timings: RequestTimings;
  clock: Clock;
};

/** A person who is here by a session, or, on the JSON API alone, by a token and then without a session. */
export type SignedIn = { user: User; role: Role; sessionId: string | null };

/** One request on its way through the process; routes know it as their load context. */
export type RequestContext = {
  services: WebServices;
  requestId: string;
  /** Whether something was sent, such as a form. A refusal is rendered as a page that is read, and only this still tells. */
  isSending: boolean;
  /** The pattern of the endpoint that answers, where the table of the API knows it better than the routes. */
  pattern: string | null;
  /** What the request is called where requests are counted: the pattern of its endpoint or route. */
  routeName(): string;
  /** What the handle of its route says the door holds it to. */
  policy: RoutePolicy;
  theme: Theme;
  reading: Reading;
  /**
   * The account that the cookie or the token names, not yet checked against the store: good for counting requests and nothing else. A token that
   * nobody is known to hold says nothing.
   */
  claimedUserId: string | null;
  /** Why the request was refused before any route saw it; the error page says so. */
  refusal: Refusal | null;
  /** What made a route fail, left here for the answer. */
  fault: FaultCode | null;
  /** What a route answers instead of its page. */
  answer: globalThis.Response | null;
  /** The page or the text that is answered, for the socket: as a web stream it would be copied on its way. */
  body: string | readonly (string | Uint8Array)[] | null;
  /** The pieces of code too large for a loader's data, by its digest: see `LargeCode`. */
  largeHtml: Map<string, readonly Uint8Array[]>;
  /** Whether the browser is on this machine, with nothing in between. */
  isLocal: boolean;
  /** Whether another site led here. */
  isFromOtherSite: boolean;
  /** Whoever is logged in. Where their account is locked, it throws the refusal. */
  signedIn(): Promise<SignedIn | null>;
  /** Whoever has a session, their account locked or not: who may log out. */
  sessionHolder(): Promise<SignedIn | null>;
  locale(): Promise<Locale>;
  /**
   * Aborted when the connection ends. The signal of Remix's own request never is once that request has been collected as
   * garbage, which a long wait makes likely.
   */
  clientGone(): AbortSignal;
  signIn(user: User, method: IdentityKind): Promise<void>;
  /** Tells the person of an account what happened to it, on their page about security. */
  recordSecurity(userId: string, event: SecurityEvent): Promise<void>;
  signOut(signedIn: SignedIn): Promise<void>;
  signOutEverywhere(signedIn: SignedIn): Promise<void>;
  /** A cookie of ours for the whole site, as this browser sent it. */
  keptCookie(name: string): string | null;
  keepCookie(name: string, value: string, maxAgeSeconds: number): void;
  /** The key of a share that this browser keeps. */
  shareKey(shareId: string): string | null;
  keepShareKey(shareId: string, key: string): void;
  flash(message: Flash): void;
  takeFlash(): Flash | null;
};

declare module "@remix-run/node" {
  interface AppLoadContext extends RequestContext {}
}

const RENEW_AFTER_MS = DAY_MS;
// The moment of a session's last use is for people to read; more often it is not written.
const USE_NOTED_EVERY_MS = 10 * MINUTE_MS;

export function createRequestContext(
  services: WebServices,
  policy: RoutePolicy,
  req: Request,
  res: Response,
): RequestContext {
  const { env, db, clock } = services;
  const { secure } = req;
  const cookies = parseCookies(req.headers.cookie);
  const bearer = tokenIn(req.get("Authorization"));
  const named = readSessionCookie(cookies, secure, env.sessionSecret);
  const readDevice = () => deviceKind(req.get("User-Agent") ?? "");
  const setCookie = (header: string) => void res.append("Set-Cookie", header);
  let holder: Promise<SignedIn | null> | undefined;

  async function recognise({ userId, sessionId }: SessionName): Promise<SignedIn | null> {
    const now = clock();
    const found = await findBySession(db, userId, sessionId, now);
    if (!found) return null;
    const { user, renewed_at, used_at } = found;
    const dueForRenewal = now.getTime() - renewed_at.getTime() > RENEW_AFTER_MS;
    if (dueForRenewal && (await renewSession(db, userId, sessionId, now))) {
      setCookie(sessionCookie({ userId, sessionId }, secure, env.sessionSecret));
    } else if (now.getTime() - used_at.getTime() > USE_NOTED_EVERY_MS) {
      await setSessionUsed(db, userId, sessionId, now);
    }
    return { user, role: effectiveRole(user, env), sessionId };
  }

  const context: RequestContext = {
    services,
    requestId: res.locals.requestId,
    isSending: req.method !== "GET" && req.method !== "HEAD",
    pattern: null,
    routeName: () => context.pattern ?? res.locals.route ?? "other",
    policy,
    theme: chosenTheme(cookies, secure),
    reading: chosenReading(cookies, secure),
    claimedUserId: (bearer && services.bearers.findOwner(bearer)) ?? named?.userId ?? null,
    refusal: null,
    fault: null,
    answer: null,
    body: null,
    largeHtml: new Map(),
    isLocal: isLocalRequest(req),
    isFromOtherSite: isFromOtherSite(req),
    signedIn: async () => unlessLocked(await context.sessionHolder()),
    sessionHolder: () => (holder ??= named ? recognise(named) : Promise.resolve(null)),
    locale: () => chooseLocale(context, cookies, req),
    clientGone: () => createCloseSignal(res),
    recordSecurity: (userId, event) =>
      recordSecurityEvent(db, userId, { ...event, device: readDevice() }, clock()),
    signIn: async (user, method) => {
      if (user.locked_at) {
        await context.recordSecurity(user.id, { what: "login_refused", method });
        db.emit("auth_refused", { reason: "account_locked", resource: { type: "user", id: user.id } });
        throw refusalResponse(Refusal("account_locked", { success: false }));
      }
      const session = await createSession(db, user, clock(), readDevice());
      if (named?.userId === user.id) await moveDevices(db, user.id, named.sessionId, session.id);
      if (named) await removeSession(db, named.userId, named.sessionId);
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
    shareKey: (shareId) => keptShareKey(cookies, shareId, secure),
    keepShareKey: (shareId, key) => setCookie(shareKeyCookie(shareId, key, secure)),
    flash: (message) => setCookie(flashCookie(message, secure, env.sessionSecret)),
    takeFlash: () => {
      const kept = keptFlash(cookies, secure);
      if (kept === undefined) return null;
      setCookie(clearedFlashCookie(secure));
      return readFlash(kept, env.sessionSecret);
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

/** The choice kept in this browser, then the person's own, then what the browser asks for. It never fails. */
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
