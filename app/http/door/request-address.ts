import type { RequestHandler } from "express";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/** A name or an address, and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Refuses what no address can be made of: a Host that is none, and a request to a proxy, which this is not. No page could be made for it. */
export const requireAddress: RequestHandler = (req, res, next) => {
  const host = req.get("Host");
  if (req.url.startsWith("/") && (host === undefined || HOST.test(host))) return next();
  const refusal = Refusal("invalid_payload");
  res.status(refusalStatus(refusal)).json(refusalBody(refusal));
};
