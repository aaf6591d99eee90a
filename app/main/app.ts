import compression from "compression";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { davPage } from "#app/dav/dav-page.server.ts";
import { prefersJsonToHtml, wantsPage } from "#app/web/answers/accept.ts";
import { toFaultRefusal } from "#app/web/answers/faults.server.ts";
import { fillPath, type Pages } from "#app/web/answers/pages.ts";
import { toRefusalResponse, toRetryHeaders } from "#app/web/answers/replies.server.ts";
import { sendResponse } from "#app/web/answers/send-response.ts";
import { toWebRequest } from "#app/web/answers/web-request.ts";
import { isCrossSite } from "#app/web/door/cross-site.ts";
import { forgetEarlyPages } from "#app/web/door/early-request.ts";
import { shedLoad } from "#app/web/door/load-shedding.ts";
import { createRateLimiter } from "#app/web/door/rate-limit.ts";
import { requireValidHost } from "#app/web/door/request-address.ts";
import { type RoutePolicy, readArrivingLimit } from "#app/web/door/route-policy.ts";
import { setRouteHeaders, setSecurityHeaders } from "#app/web/door/security-headers.ts";
import { recordAndAwaitTurn } from "#app/web/door/visitors.ts";
import { createHealthRouter } from "#app/web/health/health.ts";
import { collectMetricsText } from "#app/web/health/metrics-endpoint.ts";
import { type Readiness, shareReadiness } from "#app/web/health/readiness.ts";
import { createRequestContext, type WebServices } from "#app/web/request-context.ts";
import { logRequests } from "#app/web/request-log.ts";
import { hasWidget } from "#app/web/session/login-widget.ts";
import { ELECTION_WAIT_MS } from "#db/client.ts";
import { isDavPath } from "#domain/dav/dav-path.ts";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { runWithPageTimeLimit } from "#platform/threads/page-time.ts";

type AppOptions = {
  services: WebServices;
  pages: () => Promise<Pages>;
  assets: RequestHandler;
  readiness: () => Promise<Readiness>;
};

const REFUSED_PATH = "/refused";

/** The middleware of a request, in order. Nothing here knows a page: each route says in its handle what it needs. */
export function createApp({ services, pages, assets, readiness }: AppOptions): Express {
  const { env, db, log, metrics, timings } = services;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set("trust proxy", env.trustProxyHops);
  app.use(logRequests({ log, metrics, timings, trustProxyHops: env.trustProxyHops }));
  app.use(setSecurityHeaders);
  app.use(requireValidHost);
  app.use(
    createHealthRouter({
      rateCounter: services.rateCounter,
      requestsPerMinute: env.requestsPerMinute,
      metrics: () => collectMetricsText(services),
      metricsToken: env.metricsToken,
      readiness: shareReadiness(readiness, services.clock),
    }),
  );
  app.use(compression());
  app.use(assets);
  app.use(resolvePage(pages));
  app.use(setRouteHeaders(hasWidget(env)));
  app.use(forgetEarlyPages);
  // While no primary is elected, half of the places are left to requests that need no database.
  const max = () => (db.primary.missingMs() > 0 ? Math.ceil(env.requestsAtOnce / 2) : env.requestsAtOnce);
  app.use(shedLoad({ max, metrics }));
  app.use((req, res, next) => {
    res.locals.context = createRequestContext(services, res.locals.page.policy, req, res);
    runWithPageTimeLimit(next);
  });
  app.use(rejectEarly(services, pages));
  app.use(recordAndAwaitTurn(services));
  app.use(servePage(pages));
  app.use(answerFault(services));
  return app;
}

function rejectEarly(services: WebServices, pages: () => Promise<Pages>): RequestHandler {
  const waitSeconds = createRateLimiter(services.env, services.rateCounter);
  return async (req, res, next) => {
    try {
      const { claimedUserId, policy } = res.locals.context;
      const refusal =
        toRateRefusal(waitSeconds(req, claimedUserId, policy)) ??
        findRequestRefusal(req, policy) ??
        findOutageRefusal(services, claimedUserId) ??
        findPauseRefusal(services, req);
      if (refusal) return await sendRefusal(refusal, await pages(), req, res);
      // Remix would compare it with Host again, which a proxy may have changed, and answer 500.
      delete req.headers.origin;
      next();
    } catch (error) {
      next(error);
    }
  };
}

const toRateRefusal = (retry_after: number | null): Refusal | null =>
  retry_after === null ? null : Refusal("rate_limit_exceeded", { retry_after });

/** Requests wait for an election. If the database has been away for longer, requests that need it are refused at once. */
function findOutageRefusal({ db }: WebServices, claimedUserId: string | null): Refusal | null {
  if (claimedUserId === null || db.primary.missingMs() <= ELECTION_WAIT_MS) return null;
  return toFaultRefusal("storage_unavailable");
}

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND"]);

/** While a move has paused writing, requests that may write are refused before their body is read. */
function findPauseRefusal({ db }: WebServices, { method }: Request): Refusal | null {
  return db.writing.isPaused() && !READ_METHODS.has(method) ? toFaultRefusal("writing_paused") : null;
}

function findRequestRefusal(req: Request, policy: RoutePolicy): Refusal | null {
  if (isCrossSite(req)) return Refusal("cross_site_request");
  const max = readArrivingLimit(policy);
  if (Number(req.get("Content-Length") ?? 0) > max) return Refusal("payload_too_large", { max });
  // Remix's data requests are refused: our pages make none, and they bypass the rules for pages.
  if (req.query._data !== undefined) return Refusal("not_found");
  if (!isDecodable(req.path)) return Refusal("not_found");
  if (hasLineBreaks(req.path)) return Refusal(policy.dots === "refused" ? "invalid_file_name" : "not_found");
  return policy.dots === "refused" && hasDots(req.path) ? Refusal("path_with_dots") : null;
}

/** True if the path has segments that a URL would resolve: it reads an encoded dot as a dot, and a backslash as a slash. */
const hasDots = (path: string) => path.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The patterns of routes match within one line only. */
const withoutLineBreaks = (path: string) => path.replace(/%0[ad]|%e2%80%a[89]/gi, "_");
const hasLineBreaks = (path: string) => /[\r\n\u2028\u2029]/.test(decodeURIComponent(path));

/** Finds the page that answers. A path that ends in `.json` is answered by its twin in the API. */
function resolvePage(pages: () => Promise<Pages>): RequestHandler {
  return async (req, res, next) => {
    try {
      const currentPages = await pages();
      const page = isDavPath(req.path) ? davPage : (currentPages.find(req.path) ?? currentPages.notFound);
      const wantsTwin = req.method === "GET" && prefersJsonToHtml(req.get("Accept"));
      const { jsonTwin } = page.policy;
      const twin = wantsTwin && jsonTwin ? fillPath(jsonTwin, page, req.path) : undefined;
      if (twin) req.originalUrl = req.originalUrl.replace(req.path, twin);
      res.locals.page = twin ? required(currentPages.find(twin), `page ${twin}`) : page;
      next();
    } catch (error) {
      next(error);
    }
  };
}

function servePage(pages: () => Promise<Pages>): RequestHandler {
  return async (req, res, next) => {
    try {
      const { page, context } = res.locals;
      res.locals.route = page.pattern;
      if (!page.methods.includes(req.method)) {
        res.setHeader("Allow", page.methods.join(", "));
        return await sendRefusal(Refusal("method_not_allowed"), await pages(), req, res);
      }
      await sendResponse(await page.answer(req, context), res);
    } catch (error) {
      next(error);
    }
  };
}

/** Answers a refusal before any route: in the route's own words, with the error page for a navigation, or as JSON. */
async function sendRefusal(refusal: Refusal, pages: Pages, req: Request, res: Response): Promise<void> {
  const { page, context } = res.locals;
  const isForPrograms = page.policy.refusals === "own-words";
  context.refusal = refusal;
  if (isForPrograms && isDecodable(req.path)) {
    readOnly(req).originalUrl = withoutLineBreaks(req.path);
    return sendResponse(await page.answer(req, context), res);
  }
  if (isForPrograms || !wantsPage(req.get("Accept"))) {
    for (const [name, value] of Object.entries(toRetryHeaders(refusal.context))) res.setHeader(name, value);
    return void res.status(refusalStatus(refusal)).json(refusalBody(refusal));
  }
  context.policy = pages.notFound.policy;
  // The error page is rendered under its own address, because the requested address may be the cause.
  const request = toWebRequest(readOnly(req), REFUSED_PATH, context.clientGone());
  return sendResponse(await pages.showRefusal(toRefusalResponse(refusal), request, context), res);
}

/** Makes the refused request a GET, so that no body is read. */
function readOnly(req: Request): Request {
  req.method = req.method === "HEAD" ? "HEAD" : "GET";
  return req;
}

/** Answers errors that no route and no error page could answer. */
function answerFault(services: WebServices): ErrorRequestHandler {
  return (error, req, res, next) => {
    const status = error.status ?? 500;
    if (status >= 500) services.log.error("request_failed", { method: req.method, error });
    if (res.headersSent) return next(error);
    const refusal = Refusal(status === 404 ? "not_found" : status < 500 ? "invalid_payload" : "internal");
    res.status(refusalStatus(refusal)).json(refusalBody(refusal));
  };
}
