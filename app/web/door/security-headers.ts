import type { RequestHandler } from "express";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";

/** The headers of every answer. The content policy belongs to documents and is set where they are rendered. */
const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
} as const;

// The widget opens the messenger's window from its frame and waits for it; stricter values would separate the two.
const WIDGET_PAGE = {
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;

const HSTS = "max-age=63072000; includeSubDomains";

export const setSecurityHeaders: RequestHandler = (req, res, next) => {
  for (const [name, value] of Object.entries(ALWAYS)) res.setHeader(name, value);
  if (req.secure) res.setHeader("Strict-Transport-Security", HSTS);
  next();
};

export function setRouteHeaders(widget: boolean): RequestHandler {
  return (_req, res, next) => {
    const { policy } = res.locals.page;
    for (const [name, value] of Object.entries(chooseHeaders(policy, widget))) res.setHeader(name, value);
    // The header has no value for everyone.
    if (policy.framing === "everyone") res.removeHeader("X-Frame-Options");
    next();
  };
}

function chooseHeaders(
  { robots, framing, referrer, loginWidget }: RoutePolicy,
  widget: boolean,
): Record<string, string> {
  return {
    ...(robots === "index" ? {} : { "X-Robots-Tag": "noindex, nofollow, noarchive" }),
    ...(framing === "own-pages" ? { "X-Frame-Options": "SAMEORIGIN" } : {}),
    ...(referrer === "none" ? { "Referrer-Policy": "no-referrer" } : {}),
    ...(loginWidget && widget ? WIDGET_PAGE : {}),
  };
}
