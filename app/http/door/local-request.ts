import type { Request } from "express";
import { isLoopbackAddress } from "#platform/outbound/loopback.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Words in the names of headers that only something between a browser and this process adds. */
const RELAY_WORDS = new Set([
  "via",
  "proxy",
  "client",
  "connecting",
  "original",
  "originating",
  "remote",
  "real",
  "cluster",
  "peer",
  "cdn",
  "cf",
  "envoy",
  "amzn",
  "hops",
  "ngrok",
  "start",
  "tailscale",
]);

/**
 * Whether something passed the request on, by the name of any header: one that speaks of forwarding, of an address, or of
 * something that stands in between. A browser that asks directly sends none of these.
 */
function isForwarded(req: Request): boolean {
  return Object.keys(req.headers).some((name) =>
    name.split(/[-_]/).some((word) => RELAY_WORDS.has(word) || /^(forward|prox)|(ip|addr)$/.test(word)),
  );
}

/** Whether whoever asks is on this machine: by the other end of the connection, with nothing in between that says so. */
function isFromLoopback(req: Request): boolean {
  return isLoopbackAddress(req.socket.remoteAddress ?? "") && !isForwarded(req);
}

/** The same, and by a name of this machine: a foreign name that was made to resolve here is somebody else's page. */
export function isLocalRequest(req: Request): boolean {
  return isFromLoopback(req) && LOOPBACK_HOST.test(req.get("Host") ?? "");
}
