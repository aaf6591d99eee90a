import type { Request, RequestHandler } from "express";

/** A page that a browser fetches, and possibly renders, before anyone navigates to it. */
export type Early = "prefetched" | "prerendered";

const PURPOSES = ["Sec-Purpose", "Purpose", "X-Moz"];

export function readEarlyPurpose(req: Request): Early | null {
  const purpose = PURPOSES.map((name) => req.get(name)).join(" ");
  if (!/\bprefetch\b/i.test(purpose)) return null;
  return /\bprerender\b/i.test(purpose) ? "prerendered" : "prefetched";
}

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Makes the browser drop its prefetched pages after a change, so that it shows none from before. */
export const forgetEarlyPages: RequestHandler = (req, res, next) => {
  if (CHANGING.has(req.method) && req.get("Sec-Fetch-Site") === "same-origin")
    res.setHeader("Clear-Site-Data", '"prefetchCache", "prerenderCache"');
  next();
};
