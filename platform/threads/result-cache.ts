import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { MINUTE_MS } from "#platform/durations.ts";
import type { GaveUp } from "#platform/threads/thread-job.ts";

/** A result with its size. Where there is no answer it says why. */
export type SizedResult = { result: unknown; size: number; gaveUp: GaveUp | null };

/** How long a missing answer is remembered. It is short, because a busy moment passes. */
const GAVE_UP_KEPT_MS: Record<GaveUp, number> = {
  busy: 0,
  too_slow: 10 * MINUTE_MS,
  failed: 10 * MINUTE_MS,
  too_large: Number.POSITIVE_INFINITY,
};
/** What an entry takes besides its answer. */
const ENTRY_SIZE = 200;

type Entry = { made: Promise<SizedResult>; until: number };

/**
 * Remembers results by a key of their input, within a limit of size. Calls for a result that is being made wait for the same answer.
 */
export class ResultCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #maxSize: number;
  readonly #now: () => number;

  constructor(maxSize: number, now: () => number) {
    this.#entries = new LRUCache({ maxSize });
    this.#maxSize = maxSize;
    this.#now = now;
  }

  async recall(key: string, make: () => Promise<SizedResult>): Promise<unknown> {
    const known = this.#entries.get(key);
    if (known && known.until > this.#now()) return (await known.made).result;
    const entry = { made: make(), until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry, { size: ENTRY_SIZE });
    const made = await entry.made.catch((error) => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    });
    if (this.#entries.get(key) === entry) this.#settle(key, entry, made);
    return made.result;
  }

  #settle(key: string, entry: Entry, { size, gaveUp }: SizedResult): void {
    const until = gaveUp ? this.#now() + GAVE_UP_KEPT_MS[gaveUp] : entry.until;
    if (gaveUp === "busy" || ENTRY_SIZE + size > this.#maxSize / 4) this.#entries.delete(key);
    // The size counts with a new value alone.
    else this.#entries.set(key, { ...entry, until }, { size: ENTRY_SIZE + size });
  }
}

/** A key for what is made from these texts. */
export function digestKey(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("base64url");
}
