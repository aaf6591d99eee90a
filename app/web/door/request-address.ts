import type { RequestHandler } from "express";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Refuses a Host that is no host, and requests meant for a proxy. No URL, and so no page, can be made for them. */
export const requireValidHost: RequestHandler = (req, res, next) => {
  const host = req.get("Host");
  if (req.url.startsWith("/") && (host === undefined || HOST.test(host))) return next();
  const refusal = Refusal("invalid_payload");
  res.status(refusalStatus(refusal)).json(refusalBody(refusal));
};
