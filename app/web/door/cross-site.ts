import type { Request } from "express";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const OWN_SITE = new Set(["same-origin", "none"]);

/**
 * True if another site made the browser send this. Browsers say so with Sec-Fetch-Site, older ones with Origin. A caller that sends neither
 * is no browser, so it sends no cookie without knowing.
 */
export function isCrossSite(req: Request): boolean {
  if (SAFE_METHODS.has(req.method)) return false;
  const site = req.get("Sec-Fetch-Site");
  if (site !== undefined) return !OWN_SITE.has(site);
  const origin = req.get("Origin");
  return origin !== undefined && origin !== readOwnOrigin(req);
}

/**
 * True if another site led the browser here, reading included. Without Sec-Fetch-Site, Origin or Referer tells; a request with neither was
 * typed, bookmarked, or sent by a script.
 */
export function isFromOtherSite(req: Request): boolean {
  const site = req.get("Sec-Fetch-Site");
  if (site !== undefined) return !OWN_SITE.has(site);
  const from = req.get("Origin") ?? req.get("Referer");
  if (from === undefined) return false;
  return !URL.canParse(from) || new URL(from).origin !== readOwnOrigin(req);
}

/** Reads the origin that the visitor sees; behind trusted proxies, the forwarded one. */
export function readOwnOrigin(req: Request): string {
  const trusted: (address: string, hop: number) => boolean = req.app.get("trust proxy fn");
  const forwarded = trusted(req.socket.remoteAddress ?? "", 0)
    ? req.get("X-Forwarded-Host")?.split(",")[0]?.trim()
    : undefined;
  return `${req.protocol}://${forwarded ?? req.get("Host")}`;
}
