import { performance } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { toClientNetwork } from "#app/web/door/client-network.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

const CHECK_EVERY_MS = 250;
/** Above this share of busy time in the event loop, requests wait for each other. */
const BUSY_SHARE = 0.5;
const RECENT_MS = 1_000;
/** A body up to this size costs no more to receive than the request itself. */
const LARGE_BYTES = 64 * 1024;

/** Knows who sends requests and whether the process is busy, so whether people have to wait for each other. */
export type Visitors = {
  note(who: string): void;
  isBusyFor(owner: string): boolean;
};

type Options = { now?: () => number; readUtilization?: () => number };

export function watchVisitors({
  now = () => performance.now(),
  readUtilization = createUtilizationReader(),
}: Options = {}): Visitors {
  // The latest request, and the latest by anyone else.
  let last = { who: "", atMs: Number.NEGATIVE_INFINITY };
  let other = last;
  let isBusy = false;
  setInterval(() => (isBusy = readUtilization() > BUSY_SHARE), CHECK_EVERY_MS).unref();
  return {
    note(who) {
      if (who !== last.who) other = last;
      last = { who, atMs: now() };
    },
    isBusyFor(owner) {
      const newest = last.who === owner ? other : last;
      return isBusy && now() - newest.atMs < RECENT_MS;
    },
  };
}

/** Measures the share of busy time of the event loop since the last call. */
function createUtilizationReader(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
}

type TurnServices = { visitors: Visitors; threads: Pick<ThreadPool, "awaitTurn"> };

/** Records who sends a request. While the process is busy for others, a request with a large body waits for its sender's turn. */
export function recordAndAwaitTurn({ visitors, threads }: TurnServices): RequestHandler {
  return async (req, res, next) => {
    const { claimedUserId } = res.locals.context;
    visitors.note(claimedUserId ?? `address ${toClientNetwork(req.ip)}`);
    if (claimedUserId !== null && mayBeLarge(req.headers)) await threads.awaitTurn(claimedUserId);
    next();
  };
}

/** True if the body may be large, as one of unknown length may be. */
function mayBeLarge(headers: Record<string, unknown>): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > LARGE_BYTES;
}
