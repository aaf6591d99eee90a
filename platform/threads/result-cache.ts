import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { MINUTE_MS } from "#platform/durations.ts";
import type { GaveUp } from "#platform/threads/thread-job.ts";

/** A result with its size; `gaveUp` is the reason for a missing answer. */
export type SizedResult = { result: unknown; size: number; gaveUp: GaveUp | null };

/** How long a missing answer is cached. Failures by a busy machine are not cached, because such moments pass. */
const GAVE_UP_KEPT_MS: Record<GaveUp, number> = {
  busy: 0,
  too_slow: 10 * MINUTE_MS,
  failed: 10 * MINUTE_MS,
  too_large: Number.POSITIVE_INFINITY,
};
/** The size of an entry besides its answer. */
const ENTRY_SIZE = 200;

type Entry = { made: Promise<SizedResult>; until: number };

/** Caches results by a key of their input, within a limit of size. Calls during a computation wait for its result. */
export class ResultCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #maxSize: number;
  readonly #now: () => number;

  constructor(maxSize: number, now: () => number) {
    this.#entries = new LRUCache({ maxSize });
    this.#maxSize = maxSize;
    this.#now = now;
  }

  async getOrCreate(key: string, make: () => Promise<SizedResult>): Promise<unknown> {
    const cached = this.#entries.get(key);
    if (cached && cached.until > this.#now()) return (await cached.made).result;
    const entry = { made: make(), until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry, { size: ENTRY_SIZE });
    const result = await entry.made.catch((error) => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    });
    if (this.#entries.get(key) === entry) this.#settle(key, entry, result);
    return result.result;
  }

  #settle(key: string, entry: Entry, { size, gaveUp }: SizedResult): void {
    const until = gaveUp ? this.#now() + GAVE_UP_KEPT_MS[gaveUp] : entry.until;
    if (gaveUp === "busy" || ENTRY_SIZE + size > this.#maxSize / 4) this.#entries.delete(key);
    // The cache updates a size only with a new value.
    else this.#entries.set(key, { ...entry, until }, { size: ENTRY_SIZE + size });
  }
}

export function digestKey(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("base64url");
}
