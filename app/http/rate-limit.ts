import type { Request } from "express";
import { type Clock, MINUTE_MS } from "#platform/clock.ts";

export type RateLimits = { requestsPerMinute: number; writesPerMinute: number };

/** Seconds to wait, or null when the request may pass. */
export type RateLimiter = (req: Request, userId: string | null) => number | null;

type Window = { startedAtMs: number; count: number };

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Counts requests per person, or per address before login, in windows of a minute that start with the first request. Counts
 * live in the process: with several web processes each allows its own share.
 */
export function createRateLimiter(limits: RateLimits, clock: Clock): RateLimiter {
  const windows = new Map<string, Window>();
  let sweptAtMs = 0;

  function waitSeconds(key: string, limit: number, nowMs: number): number | null {
    const window = windows.get(key);
    if (!window || nowMs - window.startedAtMs >= MINUTE_MS) {
      windows.set(key, { startedAtMs: nowMs, count: 1 });
      return null;
    }
    window.count += 1;
    return window.count > limit ? Math.ceil((window.startedAtMs + MINUTE_MS - nowMs) / 1000) : null;
  }

  function sweep(nowMs: number) {
    if (nowMs - sweptAtMs < MINUTE_MS) return;
    sweptAtMs = nowMs;
    for (const [key, window] of windows) if (nowMs - window.startedAtMs >= MINUTE_MS) windows.delete(key);
  }

  return (req, userId) => {
    const nowMs = clock().getTime();
    sweep(nowMs);
    const who = userId === null ? `address ${req.ip}` : `user ${userId}`;
    const wait = waitSeconds(who, limits.requestsPerMinute, nowMs);
    if (wait !== null || SAFE_METHODS.has(req.method)) return wait;
    return waitSeconds(`${who} ${writeKind(req.method, req.path)}`, limits.writesPerMinute, nowMs);
  };
}

/** Writes to different things by the same operation are one kind: ids, and the name that ends a PUT or DELETE, do not count. */
export function writeKind(method: string, path: string): string {
  const segments = path.split("/").map((segment) => (/^[0-9a-f]{24}$/.test(segment) ? ":id" : segment));
  if (method === "PUT" || method === "DELETE") segments[segments.length - 1] = ":name";
  return `${method} ${segments.slice(0, 6).join("/")}`;
}
