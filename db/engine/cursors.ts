/** Open cursors: what is left of an answer that did not fit into one batch. */

import { randomBytes } from "node:crypto";
import { fail } from "./values/errors.ts";
import { present } from "./values/present.ts";

const IDLE_MS = 10 * 60_000;
const MAX_OPEN = 5_000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const FIRST_BATCH = 101;

export type Documents = AsyncIterator<Buffer[]>;

/** What a cursor reads: when it is dropped the cursor ends, whatever it had read ahead. */
export interface Read {
  readonly dropped: boolean;
}

export interface Batch {
  id: bigint;
  documents: Buffer[];
}

interface Cursor {
  namespace: string;
  reads: Read | undefined;
  source: Documents;
  waiting: Buffer[];
  /** How many documents may still come, where a limit tells. */
  left: number;
  busy: boolean;
  usedAt: number;
}

export class Cursors {
  readonly #open = new Map<bigint, Cursor>();

  /** Answers the first batch and keeps what remains under a new id; id 0 means that nothing remains. */
  async begin(
    namespace: string,
    source: Documents,
    options: { batchSize?: number; limit?: number; single?: boolean; reads?: Read },
  ): Promise<Batch> {
    const remaining = options.limit || Number.POSITIVE_INFINITY;
    const { reads } = options;
    const cursor: Cursor = {
      namespace,
      reads,
      source,
      waiting: [],
      left: remaining,
      busy: false,
      usedAt: Date.now(),
    };
    const { documents, ended } = await readBatch(cursor, options.batchSize ?? FIRST_BATCH);
    if (ended || options.single) {
      await source.return?.();
      return { id: 0n, documents };
    }
    if (this.#open.size >= MAX_OPEN) fail(96, "too many open cursors");
    const id = createId();
    this.#open.set(id, cursor);
    return { id, documents };
  }

  async readMore(id: bigint, namespace: string, batchSize: number | undefined): Promise<Batch> {
    const cursor = this.#open.get(id);
    if (!cursor) fail(43, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      fail(13, `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace`);
    if (cursor.busy) fail(12051, `cursor id ${id} is already in use`);
    cursor.busy = true;
    try {
      if (cursor.reads?.dropped) fail(175, "query plan killed: the collection was dropped");
      const { documents, ended } = await readBatch(cursor, batchSize || Number.POSITIVE_INFINITY);
      if (!ended) return { id, documents };
      this.#open.delete(id);
      return { id: 0n, documents };
    } catch (error) {
      this.#open.delete(id);
      throw error;
    } finally {
      cursor.busy = false;
      cursor.usedAt = Date.now();
    }
  }

  kill(id: bigint): boolean {
    const cursor = this.#open.get(id);
    void cursor?.source.return?.();
    return this.#open.delete(id);
  }

  expireIdle(now: number): void {
    for (const [id, cursor] of this.#open) if (!cursor.busy && now - cursor.usedAt > IDLE_MS) this.kill(id);
  }
}

function createId(): bigint {
  return (randomBytes(8).readBigUInt64LE() >> 1n) | 1n;
}

async function readBatch(cursor: Cursor, wanted: number): Promise<{ documents: Buffer[]; ended: boolean }> {
  const documents: Buffer[] = [];
  let bytes = 0;
  while (documents.length < wanted && cursor.left > 0) {
    if (cursor.waiting.length === 0) {
      const next = await cursor.source.next();
      if (next.done) return { documents, ended: true };
      cursor.waiting = next.value;
      continue;
    }
    bytes += present(cursor.waiting[0]).length;
    if (bytes > MAX_BATCH_BYTES && documents.length > 0) break;
    documents.push(present(cursor.waiting.shift()));
    cursor.left--;
  }
  return { documents, ended: cursor.left === 0 };
}
