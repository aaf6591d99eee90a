import type { RequestHandler } from "express";
import type { RequestTimings } from "#db/events/request-timings.server.ts";
import { generateRequestId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { withRequestId } from "#platform/request-id.ts";

// A label needs few values, so any other method counts as OTHER.
const METHODS = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  ...["PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"],
]);
/** The route name of requests that were refused because too many were at work. */
export const SHED_ROUTE = "shed";
const REQUEST_ID = /^[\w-]{8,64}$/;

type Options = { log: Log; metrics: Metrics; timings: RequestTimings; trustProxyHops: number };

/** Gives each request an id for its logs, events and answer, and measures the request once it is answered. */
export function logRequests({ log, metrics, timings, trustProxyHops }: Options): RequestHandler {
  return (req, res, next) => {
    const sentId = trustProxyHops > 0 ? req.get("X-Request-Id") : undefined;
    const requestId = sentId && REQUEST_ID.test(sentId) ? sentId : generateRequestId();
    const startedAt = performance.now();
    res.locals.requestId = requestId;
    res.setHeader("X-Request-Id", requestId);
    res.on("finish", () => {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const route: string = res.locals.context?.routeName() ?? res.locals.route ?? "other";
      const method = METHODS.has(req.method) ? req.method : "OTHER";
      const status = statusClass(res.statusCode);
      metrics.observe("codeshelf_http_request_seconds", ms / 1000, { route, method, status });
      timings.record(method, route, res.statusCode, ms);
      const level = chooseLogLevel(req.method, res.statusCode, route);
      withRequestId(requestId, () =>
        log[level]("request_answered", { method: req.method, route, status: res.statusCode, ms }),
      );
    });
    // Discards what a route left unread, so that the client can finish sending and the connection stays usable.
    res.on("finish", () => req.removeAllListeners("data").resume());
    withRequestId(requestId, next);
  };
}

/** Chooses the level of a request's log line. Shed requests are only counted, because a line for each would add to the load. */
function chooseLogLevel(method: string, status: number, route: string) {
  if (route === SHED_ROUTE) return "debug";
  return status >= 500 ? "warn" : method === "GET" ? "debug" : "info";
}

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`;
