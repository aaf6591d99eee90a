import type { Request, RequestHandler, Response } from "express";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerBusyPage } from "#app/web/door/busy-page.ts";
import { SHED_ROUTE } from "#app/web/request-log.ts";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

const BUSY_RETRY_SECONDS = 2;
// A small body arrives with its headers. A request whose body takes longer does not count until the body has arrived.
const SENDING_MS = 1_000;

type Options = {
  /** Read for each request; it is lower while requests wait for a database. */
  max: () => number;
  metrics: Metrics;
};

/**
 * Limits how many requests are worked on at once. Beyond the limit it answers 503 with Retry-After, without a route, the database or a
 * renderer, so that the others are still answered quickly. A request counts until its answer begins. Slow uploads and slow
 * readers do not count, see slow-clients.ts.
 */
export function shedLoad({ max, metrics }: Options): RequestHandler {
  let atWork = 0;
  metrics.count("codeshelf_requests_shed_total", {}, 0);
  metrics.gauge("codeshelf_requests_at_work", {}, () => atWork);

  function countRequest(req: Request, res: Response) {
    let isCounted = false;
    let isClosed = false;
    const count = (isAtWork: boolean) => {
      if (isCounted === isAtWork) return;
      isCounted = isAtWork;
      atWork += isAtWork ? 1 : -1;
    };
    const end = () => {
      isClosed = true;
      count(false);
    };
    count(true);
    res.locals.stopCounting = end;
    res.once("close", end);
    if (req.complete) return;
    const waiting = setTimeout(() => {
      if (req.complete || isClosed) return;
      count(false);
      req.once("end", () => isClosed || count(true));
    }, SENDING_MS);
    res.once("close", () => clearTimeout(waiting));
  }

  return (req, res, next) => {
    if (atWork >= max()) {
      metrics.count("codeshelf_requests_shed_total");
      return answerBusy(req, res);
    }
    countRequest(req, res);
    next();
  };
}

function answerBusy(req: Request, res: Response): void {
  const refusal = Refusal("server_busy", { retry_after: BUSY_RETRY_SECONDS });
  res.locals.route = SHED_ROUTE;
  res.setHeader("Retry-After", String(BUSY_RETRY_SECONDS));
  res.setHeader("Cache-Control", "no-store");
  const isForPrograms = res.locals.page.policy.refusals === "own-words";
  if (wantsPage(req.get("Accept")) && !isForPrograms) answerBusyPage(req, res, refusalStatus(refusal));
  else res.status(refusalStatus(refusal)).json(refusalBody(refusal));
}
