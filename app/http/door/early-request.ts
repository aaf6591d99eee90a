import type { Request, RequestHandler } from "express";

/** Fetched before anybody asked for it; drawn, too, if it is prerendered. */
export type Early = "prefetched" | "prerendered";

const PURPOSES = ["Sec-Purpose", "Purpose", "X-Moz"];

/** Browsers say when they fetch a page that nobody looks at yet. */
export function readEarly(req: Request): Early | null {
  const purpose = PURPOSES.map((name) => req.get(name)).join(" ");
  if (!/\bprefetch\b/i.test(purpose)) return null;
  return /\bprerender\b/i.test(purpose) ? "prerendered" : "prefetched";
}

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** After a change a browser fetches its early pages again, so that none is shown as it was before. */
export const forgetEarlyPages: RequestHandler = (req, res, next) => {
  if (CHANGING.has(req.method) && req.get("Sec-Fetch-Site") === "same-origin")
    res.setHeader("Clear-Site-Data", '"prefetchCache", "prerenderCache"');
  next();
};
