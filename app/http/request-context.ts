import type { RequestHandler } from "express";
import { newRequestId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics.ts";
import { withRequestId } from "#platform/request-id.ts";

const GIVEN_ID = /^[\w-]{8,64}$/;

type Options = { log: Log; metrics: Metrics; trustProxyHops: number };

/** Gives each request its id, which its logs, events and answer carry, and measures it once it is answered. */
export function requestContext({ log, metrics, trustProxyHops }: Options): RequestHandler {
  return (req, res, next) => {
    const given = trustProxyHops > 0 ? req.get("X-Request-Id") : undefined;
    const requestId = given && GIVEN_ID.test(given) ? given : newRequestId();
    const startedAt = performance.now();
    res.locals.requestId = requestId;
    res.setHeader("X-Request-Id", requestId);
    res.on("finish", () => {
      const ms = Math.round(performance.now() - startedAt);
      const route: string = res.locals.route ?? "other";
      metrics.observe("codeshelf_http_request_seconds", ms / 1000, {
        route,
        method: req.method,
        status: statusClass(res.statusCode),
      });
      const level = res.statusCode >= 500 ? "warn" : req.method === "GET" ? "debug" : "info";
      withRequestId(requestId, () =>
        log[level]("request_answered", { method: req.method, route, status: res.statusCode, ms }),
      );
    });
    // What a route left unread is thrown away, so that its sender can finish and the connection stays usable.
    res.on("finish", () => req.removeAllListeners("data").resume());
    withRequestId(requestId, next);
  };
}

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`;
