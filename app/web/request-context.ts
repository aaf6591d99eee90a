import type { Request, Response } from "express";
import type { Codehost } from "#app/codehost/codehost.ts";
import type { Explainer } from "#app/explain/explainer.ts";
import type { Reading } from "#app/reading.ts";
import type { Theme } from "#app/theme.ts";
import type { AnnouncementWatch } from "#app/web/answers/announcement-watch.ts";
import { isFromOtherSite } from "#app/web/door/cross-site.ts";
import { type Early, readEarlyPurpose } from "#app/web/door/early-request.ts";
import { isLocalRequest } from "#app/web/door/local-request.ts";
import type { RateCounter } from "#app/web/door/rate-limit.ts";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";
import type { Visitors } from "#app/web/door/visitors.ts";
import { type Bearers, parseToken } from "#app/web/session/bearer.ts";
import { readLocaleChoice, readReadingChoice, readThemeChoice } from "#app/web/session/choices.ts";
import { parseCookies } from "#app/web/session/cookies.ts";
import type { OidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import { openSession, type Session } from "#app/web/session/session.ts";
import { readSessionCookie } from "#app/web/session/session-cookie.ts";
import type { Db } from "#db/client.ts";
import type { RequestTimings } from "#db/events/request-timings.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { RunsUnderWay } from "#domain/code-runs/runs-under-way.ts";
import { isLocale, type Locale, negotiateLocale } from "#domain/locale.ts";
import type { Refusal } from "#domain/refusal.ts";
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

/** Facts of one request, its session and the services; routes get it as their load context. */
export type RequestContext = {
  services: WebServices;
  session: Session;
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
  /** The refusal that the error page shows; null for every other page. */
  refused: globalThis.Response | null;
  /** HTML of code that is too large for a loader's data, by digest (see `LargeCode`). */
  largeHtml: Map<string, readonly Uint8Array[]>;
  /** True if the browser is on this machine, with nothing in between. */
  isLocal: boolean;
  isFromOtherSite: boolean;
  locale(): Promise<Locale>;
  /** Aborted when the connection ends before the answer is complete. Remix's own signal never aborts once its request has been garbage-collected. */
  clientGone(): AbortSignal;
};

declare module "@remix-run/node" {
  interface AppLoadContext extends RequestContext {}
}

export function createRequestContext(
  services: WebServices,
  policy: RoutePolicy,
  req: Request,
  res: Response,
): RequestContext {
  const { secure } = req;
  const cookies = parseCookies(req.headers.cookie);
  const bearer = parseToken(req.get("Authorization"));
  const sessionName = readSessionCookie(cookies, secure, services.env.sessionSecret);
  const session = openSession(services, { cookies, sessionName }, req, res);
  let closed: AbortSignal | null = null;

  const context: RequestContext = {
    services,
    session,
    requestId: res.locals.requestId,
    isSending: req.method !== "GET" && req.method !== "HEAD",
    early: readEarlyPurpose(req),
    pattern: null,
    routeName: () => context.pattern ?? res.locals.route ?? "other",
    policy,
    theme: readThemeChoice(cookies, secure),
    reading: readReadingChoice(cookies, secure),
    claimedUserId: (bearer && services.bearers.findOwner(bearer)) ?? sessionName?.userId ?? null,
    refusal: null,
    refused: null,
    largeHtml: new Map(),
    isLocal: isLocalRequest(req),
    isFromOtherSite: isFromOtherSite(req),
    locale: () => chooseLocale(context, cookies, req),
    clientGone: () => (closed ??= createCloseSignal(res)),
  };
  return context;
}

function createCloseSignal(res: Response): AbortSignal {
  const closed = new AbortController();
  if (res.closed) closed.abort();
  else res.once("close", () => void (res.writableFinished || closed.abort()));
  return closed.signal;
}

/** Chooses the language from the cookie, else from the account, else from Accept-Language. It never fails. */
async function chooseLocale(
  context: RequestContext,
  cookies: Map<string, string>,
  req: Request,
): Promise<Locale> {
  const chosen = readLocaleChoice(cookies, req.secure);
  if (chosen) return chosen;
  const signedIn = context.refusal ? null : await context.session.sessionHolder().catch(() => null);
  if (isLocale(signedIn?.user.locale)) return signedIn.user.locale;
  return negotiateLocale(req.headers["accept-language"] ?? "");
}
