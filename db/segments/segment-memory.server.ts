import { LRUCache } from "lru-cache";

/** A segment in memory: its numbers, and the first keys of its chunks. */
export type Segment = {
  name: string;
  first: number;
  last: number;
  files: number;
  starts: Uint32Array;
  /** Set if the segment has only one chunk. */
  chunk: Uint8Array | null;
};

const MAX_BYTES = 32 * 1024 * 1024;
/** The memory of an entry in addition to its bytes. */
const OVERHEAD_BYTES = 200;

type CacheEntry = { segment?: Segment; data?: Uint8Array };

/** Caches segments and chunks of the index, the last used ones up to a number of bytes. */
export class SegmentMemory {
  readonly #cache = new LRUCache<string, CacheEntry>({ maxSize: MAX_BYTES });

  getSegment(name: string): Segment | undefined {
    return this.#cache.get(name)?.segment;
  }

  getChunk(id: string): Uint8Array | undefined {
    return this.#cache.get(id)?.data;
  }

  setSegment(segment: Segment): void {
    const bytes = segment.starts.byteLength + (segment.chunk?.byteLength ?? 0);
    this.#cache.set(segment.name, { segment }, { size: bytes + OVERHEAD_BYTES });
  }

  setChunk(id: string, data: Uint8Array): void {
    this.#cache.set(id, { data }, { size: data.byteLength + OVERHEAD_BYTES });
  }
}
