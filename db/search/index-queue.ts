import type { Db, IndexQueue, KnownText } from "#db/client.ts";
import { indexFiles, indexLeftovers } from "#db/search/search-index.server.ts";
import { required } from "#domain/required.ts";
import type { Log } from "#platform/log.ts";

export type IndexQueueOptions = {
  log: Log;
  /** Changes that follow each other closely are indexed together. */
  delayMs?: number;
  /** After a failure, mostly of the database. */
  retryMs?: number;
  maxWaiting?: number;
};

const DELAY_MS = 200;
const RETRY_MS = 30_000;
const MAX_WAITING = 20_000;
const AT_ONCE = 100;
/** Characters of texts that are held until they are indexed. */
const MAX_HELD = 8 * 1024 * 1024;

/**
 * Indexes files after the change to them was answered, several of one owner at once, owners in turn. Until then they stay marked and
 * searches look through them, so nothing depends on when this happens, or whether: what a stopped process left is indexed at the next start.
 */
export function createIndexQueue(db: Db, options: IndexQueueOptions): IndexQueue {
  const { log, delayMs = DELAY_MS, retryMs = RETRY_MS, maxWaiting = MAX_WAITING } = options;
  const waiting = new Map<string, Set<string>>();
  const texts = new Map<string, KnownText>();
  let atWork: string | null = null;
  let size = 0;
  let held = 0;
  /** Some did not fit: they are looked for by their marks. */
  let hasOverflowed = false;
  let isClosed = false;
  let working: Promise<void> | null = null;
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
      if (text) hold(id, text);
    }
    wake(delayMs);
  };

  function hold(fileId: string, text: KnownText): void {
    letGo(fileId);
    if (held + text.body.length > MAX_HELD) return;
    texts.set(fileId, text);
    held += text.body.length;
  }

  function letGo(fileId: string): KnownText | undefined {
    const text = texts.get(fileId);
    texts.delete(fileId);
    held -= text?.body.length ?? 0;
    return text;
  }

  function wake(ms: number): void {
    if (isClosed || working || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      working = work()
        .catch((error) => log.error("index_queue_failed", { error }))
        .then(() => {
          working = null;
          if (size > 0 || hasOverflowed) wake(retryMs);
        });
    }, ms).unref();
  }

  async function work(): Promise<void> {
    while (!isClosed && size > 0) {
      const [owner, ids] = required(waiting.entries().next().value, "owner who waits");
      const some = [...ids].slice(0, AT_ONCE);
      for (const id of some) ids.delete(id);
      size -= some.length;
      waiting.delete(owner);
      if (ids.size > 0) waiting.set(owner, ids);
      const known = new Map(some.map((id) => [id, letGo(id)]));
      atWork = owner;
      const isIndexed = await indexFiles(db, owner, some, { known });
      atWork = null;
      if (isIndexed) continue;
      add(owner, some);
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
    has: (ownerId) => waiting.has(ownerId) || atWork === ownerId,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await working;
    },
  };
}
