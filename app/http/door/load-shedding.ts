import type { Request, RequestHandler, Response } from "express";
import { wantsPage } from "#app/http/answers/accept.ts";
import { answerBusyPage } from "#app/http/door/busy-page.ts";
import { SHED_ROUTE } from "#app/http/request-log.ts";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

/** Seconds after which a refused client may try again. */
const BUSY_RETRY_SECONDS = 2;
// A small body arrives with its headers. While a longer one is being sent, the request does not count as being worked on.
const SENDING_MS = 1_000;

type Options = {
  /** Read for each request; it is lower while requests wait for a database. */
  max: () => number;
  metrics: Metrics;
};

/**
 * Limits how many requests are worked on at once. Beyond the limit it answers 503 with Retry-After, without a route, the database or
 * a renderer, so that the others are still answered quickly.
 *
 * A request counts until the head of its answer is written. Slow uploads and slow readers do not count, see slow-clients.ts.
 */
export function shedLoad({ max, metrics }: Options): RequestHandler {
  let atWork = 0;
  metrics.count("codeshelf_requests_shed_total", {}, 0);
  metrics.gauge("codeshelf_requests_at_work", {}, () => atWork);

  function work(req: Request, res: Response) {
    let counted = false;
    let over = false;
    const count = (isAtWork: boolean) => {
      if (counted === isAtWork) return;
      counted = isAtWork;
      atWork += isAtWork ? 1 : -1;
    };
    const end = () => {
      over = true;
      count(false);
    };
    count(true);
    onHead(res, end);
    res.once("close", end);
    if (req.complete) return;
    const waiting = setTimeout(() => {
      if (req.complete || over) return;
      count(false);
      req.once("end", () => over || count(true));
    }, SENDING_MS);
    res.once("close", () => clearTimeout(waiting));
  }

  return (req, res, next) => {
    if (atWork >= max()) {
      metrics.count("codeshelf_requests_shed_total");
      return sendAway(req, res);
    }
    work(req, res);
    next();
  };
}

/** Calls back before the head of the answer is written, whoever writes it. */
function onHead(res: Response, called: () => void): void {
  // It has several types of call; this passes on whatever it is called with.
  const writeHead = res.writeHead as (...words: unknown[]) => Response;
  res.writeHead = ((...words: unknown[]) => {
    called();
    return writeHead.apply(res, words);
  }) as typeof res.writeHead;
}

function sendAway(req: Request, res: Response): void {
  const refusal = Refusal("server_busy", { retry_after: BUSY_RETRY_SECONDS });
  res.locals.route = SHED_ROUTE;
  res.setHeader("Retry-After", String(BUSY_RETRY_SECONDS));
  res.setHeader("Cache-Control", "no-store");
  const isForPrograms = res.locals.page.policy.refusals === "own-words";
  if (wantsPage(req.get("Accept")) && !isForPrograms) answerBusyPage(req, res, refusalStatus(refusal));
  else res.status(refusalStatus(refusal)).json(refusalBody(refusal));
}
