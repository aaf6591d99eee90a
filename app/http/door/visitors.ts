import { performance } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { clientNetwork } from "#app/http/door/client-network.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

const LOOK_EVERY_MS = 250;
/** The share of the time that the event loop works beyond which requests wait for each other. */
const BUSY_SHARE = 0.5;
/** Whoever asked within this time is there. */
const THERE_MS = 1_000;
/** A body up to this size costs no more to receive than the request itself. */
const LARGE_BYTES = 64 * 1024;

/** Who asks the process, and whether it is busy: together, whether people have to wait for each other. */
export type Visitors = {
  note(who: string): void;
  isBusyFor(owner: string): boolean;
};

type Options = { now?: () => number; readUtilization?: () => number };

export function watchVisitors({
  now = () => performance.now(),
  readUtilization = openUtilization(),
}: Options = {}): Visitors {
  // The newest of whoever asked last, and of anybody else.
  let last = { who: "", atMs: Number.NEGATIVE_INFINITY };
  let other = last;
  let isBusy = false;
  setInterval(() => (isBusy = readUtilization() > BUSY_SHARE), LOOK_EVERY_MS).unref();
  return {
    note(who) {
      if (who !== last.who) other = last;
      last = { who, atMs: now() };
    },
    isBusyFor(owner) {
      const newest = last.who === owner ? other : last;
      return isBusy && now() - newest.atMs < THERE_MS;
    },
  };
}

/** The share of the time since the last call that the event loop worked. */
function openUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
}

type TurnServices = { visitors: Visitors; threads: Pick<ThreadPool, "awaitTurn"> };

/** Notes who asks. A request that brings a long text waits for its sender's turn before it is read, where the process is busy for others. */
export function takeTurns({ visitors, threads }: TurnServices): RequestHandler {
  return async (req, res, next) => {
    const { claimedUserId } = res.locals.context;
    visitors.note(claimedUserId ?? `address ${clientNetwork(req.ip)}`);
    if (claimedUserId !== null && bringsMuch(req.headers)) await threads.awaitTurn(claimedUserId);
    next();
  };
}

/** A body of unknown length may be long. */
function bringsMuch(headers: Record<string, unknown>): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > LARGE_BYTES;
}
