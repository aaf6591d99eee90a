/**
 * Keeps a process running: one that ends by itself is restarted after a pause that doubles each time. One that keeps ending is
 * given up, because restarting does not help.
 */

import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { readError } from "#platform/read-error.ts";
import { describeExit, type LineLog, type LocalServer } from "./server-process.ts";

export type Pace = { limit: number; windowMs: number; firstPauseMs: number };

/** Five restarts within a minute, after 0.25, 0.5, 1, 2 and 4 seconds. */
const PACE: Pace = { limit: 5, windowMs: MINUTE_MS, firstPauseMs: 250 };

type RunningProcess = LocalServer & { lastWords?(): string };

export type KeepOptions<T extends RunningProcess> = {
  name: string;
  start: () => T | Promise<T>;
  /** Called after each start except the first. */
  onRestart?: (running: T) => void;
  onGiveUp: (message: string) => void;
  log: LineLog;
  pace?: Pace;
};

export type Keeper<T> = { current(): T; stop(): Promise<void> };

/** Resolves when it runs; rejects if the first start fails. */
export async function keepRunning<T extends RunningProcess>(options: KeepOptions<T>): Promise<Keeper<T>> {
  let current = await options.start();
  const stopping = new AbortController();

  async function restartUntilStopped() {
    const restarts: number[] = [];
    let trouble = await awaitEndDescription(current);
    while (!stopping.signal.aborted) {
      const pauseMs = recordRestart(restarts, options.pace ?? PACE);
      if (pauseMs === null) return options.onGiveUp(`${options.name} ${trouble}\nIt ends again and again.`);
      options.log(`${trouble.split("\n")[0]}; starting it again`);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      trouble = await runAgain();
    }
  }

  async function runAgain(): Promise<string> {
    try {
      current = await options.start();
    } catch (error) {
      return `did not start: ${readError(error).message}`;
    }
    if (stopping.signal.aborted) await current.stop();
    else options.onRestart?.(current);
    return awaitEndDescription(current);
  }

  const watching = restartUntilStopped();
  return {
    current: () => current,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}

async function awaitEndDescription(running: RunningProcess): Promise<string> {
  const exit = describeExit(await running.exited);
  const lastWords = running.lastWords?.();
  return lastWords ? `${exit}\n${lastWords}` : exit;
}

function recordRestart(restarts: number[], { limit, windowMs, firstPauseMs }: Pace): number | null {
  const now = performance.now();
  while (now - (restarts[0] ?? now) > windowMs) restarts.shift();
  if (restarts.length >= limit) return null;
  restarts.push(now);
  return firstPauseMs * 2 ** (restarts.length - 1);
}
