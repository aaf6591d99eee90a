import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest } from "express";
import { readOwnOrigin } from "#app/web/door/cross-site.ts";

const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** Makes the request that a route gets. A forwarded host may not parse. */
export function toWebRequest(req: ExpressRequest, path: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  const body = WITHOUT_BODY.has(req.method)
    ? {}
    : { body: createReadableStreamFromReadable(req), duplex: "half" as const };
  const origin = readOwnOrigin(req);
  const url = `${URL.canParse(origin) ? origin : "http://localhost"}${path}`;
  return new Request(url, { method: req.method, headers, signal, ...body });
}
