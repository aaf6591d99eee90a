import { readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { sep } from "node:path";
import express, { type RequestHandler } from "express";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";

const YEAR_MS = 365 * DAY_MS;

const WORKER_PATH = /^\/sw(\.js$|\/)/;

/** Sets the headers of the service worker: it is not cached, so that browsers use a new one at once, and it may connect only to us. */
function setWorkerHeaders(res: ServerResponse): void {
  res.setHeader("Cache-Control", "no-cache");
  res.setHeader("Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'");
}

/**
 * Built assets carry a hash in their name and never change; browsers check files of `public/` for changes. The names are read once, so a
 * page's path needs no look at the disk.
 */
export function serveStaticFiles(clientDirectory: string): RequestHandler {
  const entries = readdirSync(clientDirectory, { recursive: true, withFileTypes: true });
  const paths = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(clientDirectory.length).replaceAll(sep, "/")),
  );
  const options = { index: false, redirect: false } as const;
  const assets = express.static(clientDirectory, { ...options, immutable: true, maxAge: YEAR_MS });
  const others = express.static(clientDirectory, { ...options, maxAge: HOUR_MS });
  const worker = express.static(clientDirectory, {
    ...options,
    cacheControl: false,
    setHeaders: setWorkerHeaders,
  });
  return (req, res, next) => {
    if (!paths.has(req.path)) return next();
    const serve = req.path.startsWith("/assets/") ? assets : WORKER_PATH.test(req.path) ? worker : others;
    serve(req, res, next);
  };
}
