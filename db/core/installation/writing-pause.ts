import { setTimeout as pause } from "node:timers/promises";
import { MongoError } from "mongodb";
import type { WritingDoc } from "#db/core/installation/documents.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Shows if this process may write. A move pauses writing while it copies the last changes, and permanently when it is done. */
export type WritingPause = {
  isPaused(): boolean;
  /** The new address after a finished move, or null. */
  movedTo(): string | null;
  /** Called before each write. Throws WritingPaused if the pause lasts longer than this process waits. */
  beforeWrite(): Promise<void> | undefined;
  close(): void;
};

/** A temporary storage fault. Its base class is the driver's, which both copies of this module share. */
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

const CHECK_EVERY_MS = SECOND_MS;
/** A process that has not checked for this time checks before it writes. A move waits longer than this. */
export const LOOKED_MAX_MS = 3 * SECOND_MS;

export type WhilePaused = {
  /** How long a write waits for the end of a pause before it is refused. */
  waitMs: number;
  lookEveryMs?: number;
};

export function createWritingPause(
  read: () => Promise<WritingDoc | null>,
  { waitMs, lookEveryMs = CHECK_EVERY_MS }: WhilePaused,
): WritingPause {
  let lastDoc: WritingDoc | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let pendingCheck: Promise<void> | null = null;

  async function check(): Promise<void> {
    const startedAt = performance.now();
    lastDoc = await read();
    checkedAt = startedAt;
  }
  const checkOnce = () => (pendingCheck ??= check().finally(() => (pendingCheck = null)));
  const isFresh = () => performance.now() - checkedAt < LOOKED_MAX_MS;
  const isPaused = () =>
    lastDoc !== null && (lastDoc.moved_at !== null || (lastDoc.paused_until?.getTime() ?? 0) > Date.now());

  async function waitWhilePaused(): Promise<void> {
    const until = performance.now() + waitMs;
    if (!isFresh()) await checkOnce();
    while (isPaused()) {
      if (performance.now() >= until) throw new WritingPaused();
      await pause(lookEveryMs);
      await checkOnce();
    }
  }

  // If the store does not answer, the next write checks itself and fails.
  const timer = setInterval(() => void checkOnce().catch(() => {}), lookEveryMs);
  timer.unref();
  return {
    isPaused,
    movedTo: () => (lastDoc?.moved_at ? lastDoc.moved_to : null),
    beforeWrite: () => (isFresh() && !isPaused() ? undefined : waitWhilePaused()),
    close: () => clearInterval(timer),
  };
}
