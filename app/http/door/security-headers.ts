import type { RequestHandler } from "express";
import { LOGIN_PATH } from "#app/http/session/login-widget.ts";

const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

// The widget opens the messenger's window from its frame and waits for it; stricter values would cut that thread.
const WIDGET_PAGE = {
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;
const ELSEWHERE = { "Cross-Origin-Opener-Policy": "same-origin", "Referrer-Policy": "same-origin" } as const;

// Foreign content: it may be framed by our own pages, and tells nobody where it was read.
const FOREIGN_PATH = /^\/(html|raw_svg)\//i;
const SHARED_FOREIGN_PATH = /^\/(share\/[^/]+|shared\/[^/]+\/[^/]+)\/(html|svg)\/?$/i;
const FOREIGN = { ...ELSEWHERE, "X-Frame-Options": "SAMEORIGIN", "Referrer-Policy": "no-referrer" } as const;

// What people share is for whoever was given the address, not for a search engine.
const SHARE_PATH = /^\/shared?\//i;
const UNLISTED = { "X-Robots-Tag": "noindex, nofollow, noarchive" } as const;
const SHARED = { ...ELSEWHERE, ...UNLISTED } as const;

// The address of a feed is its secret: it is told to nobody.
const FEED_PATH = /^\/feeds\//i;
const FEED = { ...ELSEWHERE, "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" } as const;

const HSTS = "max-age=63072000; includeSubDomains";

/** What every answer carries. The content policy belongs to documents and is set where they are made. */
export function securityHeaders(widget: boolean): RequestHandler {
  return (req, res, next) => {
    const page = chooseHeaders(req.path, widget);
    for (const [name, value] of Object.entries({ ...ALWAYS, ...page })) res.setHeader(name, value);
    if (req.secure) res.setHeader("Strict-Transport-Security", HSTS);
    next();
  };
}

function chooseHeaders(path: string, widget: boolean): Record<string, string> {
  if (FOREIGN_PATH.test(path)) return FOREIGN;
  if (SHARED_FOREIGN_PATH.test(path)) return { ...FOREIGN, ...UNLISTED };
  if (SHARE_PATH.test(path)) return SHARED;
  if (FEED_PATH.test(path)) return FEED;
  return widget && path === LOGIN_PATH ? WIDGET_PAGE : ELSEWHERE;
}
