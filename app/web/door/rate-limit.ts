import type { Request } from "express";
import { toClientNetwork } from "#app/web/door/client-network.ts";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";

type RateLimits = { requestsPerMinute: number; writesPerMinute: number };

/** Returns the seconds to wait, or null if the request may pass. */
type RateLimiter = (req: Request, userId: string | null, policy: RoutePolicy) => number | null;

type Window = { startedAtMs: number; count: number };

/** A clock that was set back ends the window too; otherwise nobody would get a turn until it catches up. */
const isOver = (sinceMs: number, nowMs: number) => nowMs < sinceMs || nowMs - sinceMs >= MINUTE_MS;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type RateCounter = {
  /** Takes a turn: null if one was left, otherwise the seconds until the next one. */
  wait(name: string, perMinute: number): number | null;
};

/** Counts turns in windows of a minute that start with the first turn. With several web processes each allows its own share. */
export function createRateCounter(clock: Clock): RateCounter {
  const windows = new Map<string, Window>();
  let sweptAtMs = 0;

  function sweep(nowMs: number) {
    if (!isOver(sweptAtMs, nowMs)) return;
    sweptAtMs = nowMs;
    for (const [name, window] of windows) if (isOver(window.startedAtMs, nowMs)) windows.delete(name);
  }

  return {
    wait(name, perMinute) {
      const nowMs = clock().getTime();
      sweep(nowMs);
      const window = windows.get(name);
      if (!window || isOver(window.startedAtMs, nowMs)) {
        windows.set(name, { startedAtMs: nowMs, count: 1 });
        return null;
      }
      window.count += 1;
      return window.count > perMinute ? Math.ceil((window.startedAtMs + MINUTE_MS - nowMs) / 1000) : null;
    },
  };
}

/** Counts requests per person, or per network before login. Writes are counted as well, unless the route counts its own. */
export function createRateLimiter(limits: RateLimits, rateCounter: RateCounter): RateLimiter {
  return (req, userId, { rateClass }) => {
    const who = userId === null ? `address ${toClientNetwork(req.ip)}` : `user ${userId}`;
    if (userId !== null && (rateClass === "file-client" || savesFiles(req)))
      return findFileClientWait(req, who, limits, rateCounter);
    const wait = rateCounter.wait(who, limits.requestsPerMinute);
    if (wait !== null || SAFE_METHODS.has(req.method) || rateClass !== undefined) return wait;
    return rateCounter.wait(`${who} ${toWriteKind(req.method, req.path)}`, limits.writesPerMinute);
  };
}

const FILE_CLIENT_REQUESTS = 20;
const FILE_CLIENT_WRITES = 20;
/** A lock changes no file, and a PUT is counted where files are saved. */
const UNCOUNTED_WRITES = new Set([...SAFE_METHODS, "PROPFIND", "LOCK", "UNLOCK"]);

/** Saving by the API and by pages counts as saved files. */
const SAVES = /^(?:PUT \/api\/files\/.|POST \/api\/files\/batch$|POST \/upload(?:\.data)?$)/;
const savesFiles = ({ method, path }: Request) => SAVES.test(`${method} ${path}`);

/**
 * Counts a file client's request and returns the seconds to wait, or null. Copying a folder takes several requests for each file, so they
 * are counted apart, against multiples of the limits for pages.
 */
function findFileClientWait(
  req: Request,
  who: string,
  { requestsPerMinute, writesPerMinute }: RateLimits,
  rateCounter: RateCounter,
): number | null {
  const wait = rateCounter.wait(`${who} files`, FILE_CLIENT_REQUESTS * requestsPerMinute);
  const isCountedElsewhere = UNCOUNTED_WRITES.has(req.method) || req.method === "PUT" || savesFiles(req);
  if (wait !== null || isCountedElsewhere) return wait;
  return rateCounter.wait(`${who} file writes`, FILE_CLIENT_WRITES * writesPerMinute);
}

/** Names the kind of a write. Ids and the name at the end of a PUT or DELETE are left out, so that the same operation counts together. */
function toWriteKind(method: string, path: string): string {
  const segments = path.split("/").map((segment) => (isOpaqueId(segment) ? ":id" : segment));
  if (method === "PUT" || method === "DELETE") segments[segments.length - 1] = ":name";
  return `${method} ${segments.slice(0, 6).join("/")}`;
}
