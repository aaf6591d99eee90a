import { setTimeout as pause } from "node:timers/promises";
import { MongoError } from "mongodb";
import type { WritingDoc } from "#db/installation/documents.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Whether this process may write. A move pauses writing while it takes the last difference along, and for good when it is done. */
export type WritingPause = {
  isPaused(): boolean;
  /** The new address after a finished move, or null. */
  movedTo(): string | null;
  /** Called before each write. Throws WritingPaused where the pause lasts longer than this process waits. */
  beforeWrite(): Promise<void> | undefined;
  close(): void;
};

/** A fault of the store that passes; its class is the driver's, which both copies of this module know. */
class WritingPaused extends MongoError {
  override get name() {
    return "WritingPaused";
  }

  constructor() {
    super("Writing is paused for a move");
  }
}

export const WRITING_ALLOWED: WritingPause = {
  isPaused: () => false,
  movedTo: () => null,
  beforeWrite: () => undefined,
  close: () => {},
};

const LOOK_EVERY_MS = SECOND_MS;
/** No write is sent by whoever has not looked for so long: they look first. A move waits longer than that. */
export const LOOKED_MAX_MS = 3 * SECOND_MS;

export type WhilePaused = {
  /** How long a write waits for the end of a pause before it is refused. */
  waitMs: number;
  lookEveryMs?: number;
};

/** Looks again and again whether writing is paused. */
export function watchWriting(
  read: () => Promise<WritingDoc | null>,
  { waitMs, lookEveryMs = LOOK_EVERY_MS }: WhilePaused,
): WritingPause {
  let seen: WritingDoc | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const startedAt = performance.now();
    seen = await read();
    seenAt = startedAt;
  }
  const lookOnce = () => (looking ??= look().finally(() => (looking = null)));
  const isFresh = () => performance.now() - seenAt < LOOKED_MAX_MS;
  const isPaused = () =>
    seen !== null && (seen.moved_at !== null || (seen.paused_until?.getTime() ?? 0) > Date.now());

  async function wait(): Promise<void> {
    const until = performance.now() + waitMs;
    if (!isFresh()) await lookOnce();
    while (isPaused()) {
      if (performance.now() >= until) throw new WritingPaused();
      await pause(lookEveryMs);
      await lookOnce();
    }
  }

  // A store that does not answer fails the next write, which looks itself.
  const timer = setInterval(() => void lookOnce().catch(() => {}), lookEveryMs);
  timer.unref();
  return {
    isPaused,
    movedTo: () => (seen?.moved_at ? seen.moved_to : null),
    beforeWrite: () => (isFresh() && !isPaused() ? undefined : wait()),
    close: () => clearInterval(timer),
  };
}
