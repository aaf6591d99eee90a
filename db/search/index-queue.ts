import type { Db, IndexQueue, KnownText } from "#db/client.ts";
import { indexFiles, indexLeftovers } from "#db/search/search-index.server.ts";
import { required } from "#domain/required.ts";
import type { Log } from "#platform/log.ts";

export type IndexQueueOptions = {
  log: Log;
  /** Changes in quick succession are indexed together. */
  delayMs?: number;
  /** The wait after a failure, mostly of the database. */
  retryMs?: number;
  maxWaiting?: number;
};

const DELAY_MS = 200;
const RETRY_MS = 30_000;
const MAX_WAITING = 20_000;
const BATCH_SIZE = 100;
/** The limit of characters of texts that wait in memory. */
const MAX_HELD = 8 * 1024 * 1024;

/**
 * Indexes files after the answer to their change, several of one owner at once, and the owners in turn. Until then they stay marked and
 * searches read them, so nothing depends on when or if this happens: the files that a stopped process left are indexed at the next start.
 */
export function createIndexQueue(db: Db, options: IndexQueueOptions): IndexQueue {
  const { log, delayMs = DELAY_MS, retryMs = RETRY_MS, maxWaiting = MAX_WAITING } = options;
  const waiting = new Map<string, Set<string>>();
  const texts = new Map<string, KnownText>();
  let activeOwner: string | null = null;
  let size = 0;
  let heldLength = 0;
  /** True if some files did not fit; they are found by their marks. */
  let hasOverflowed = false;
  let isClosed = false;
  let workInProgress: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const add: IndexQueue["add"] = (ownerId, fileIds, text) => {
    if (isClosed) return;
    const ids = waiting.get(ownerId) ?? new Set();
    waiting.set(ownerId, ids);
    for (const id of fileIds) {
      if (!ids.has(id) && size >= maxWaiting) {
        hasOverflowed = true;
        continue;
      }
      if (!ids.has(id)) size += 1;
      ids.add(id);
      if (text) holdText(id, text);
    }
    scheduleWork(delayMs);
  };

  function holdText(fileId: string, text: KnownText): void {
    releaseText(fileId);
    if (heldLength + text.body.length > MAX_HELD) return;
    texts.set(fileId, text);
    heldLength += text.body.length;
  }

  function releaseText(fileId: string): KnownText | undefined {
    const text = texts.get(fileId);
    texts.delete(fileId);
    heldLength -= text?.body.length ?? 0;
    return text;
  }

  function scheduleWork(ms: number): void {
    if (isClosed || workInProgress || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      workInProgress = indexWaitingFiles()
        .catch((error) => log.error("index_queue_failed", { error }))
        .then(() => {
          workInProgress = null;
          if (size > 0 || hasOverflowed) scheduleWork(retryMs);
        });
    }, ms).unref();
  }

  async function indexWaitingFiles(): Promise<void> {
    while (!isClosed && size > 0) {
      const [owner, ids] = required(waiting.entries().next().value, "owner who waits");
      const batch = [...ids].slice(0, BATCH_SIZE);
      for (const id of batch) ids.delete(id);
      size -= batch.length;
      waiting.delete(owner);
      if (ids.size > 0) waiting.set(owner, ids);
      const knownTexts = new Map(batch.map((id) => [id, releaseText(id)]));
      activeOwner = owner;
      const isIndexed = await indexFiles(db, owner, batch, { known: knownTexts });
      activeOwner = null;
      if (isIndexed) continue;
      add(owner, batch);
      return;
    }
    if (isClosed || !hasOverflowed) return;
    hasOverflowed = false;
    await indexLeftovers(db).catch((error) => {
      hasOverflowed = true;
      throw error;
    });
  }

  return {
    add,
    has: (ownerId) => waiting.has(ownerId) || activeOwner === ownerId,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await workInProgress;
    },
  };
}
