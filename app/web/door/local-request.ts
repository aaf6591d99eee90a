import type { Request } from "express";
import { isLoopbackAddress } from "#platform/outbound/loopback.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Words in the names of headers that only a relay between a browser and this process adds. */
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

/** True if any header's name speaks of forwarding, of an address or of a relay. A browser that connects directly sends none of these. */
function isForwarded(req: Request): boolean {
  return Object.keys(req.headers).some((name) =>
    name.split(/[-_]/).some((word) => RELAY_WORDS.has(word) || /^(forward|prox)|(ip|addr)$/.test(word)),
  );
}

/** True if the other end of the connection is on this machine and no relay shows itself. */
function isFromLoopback(req: Request): boolean {
  return isLoopbackAddress(req.socket.remoteAddress ?? "") && !isForwarded(req);
}

/** Also requires a host name of this machine: a foreign name that resolves to it belongs to another site's page. */
export function isLocalRequest(req: Request): boolean {
  return isFromLoopback(req) && LOOPBACK_HOST.test(req.get("Host") ?? "");
}
