import { LRUCache } from "lru-cache";

/** A segment as it is read: which numbers it is about, and where its chunks begin. */
export type Segment = {
  name: string;
  first: number;
  last: number;
  files: number;
  starts: Uint32Array;
  /** Where it has only one. */
  chunk: Uint8Array | null;
};

const MAX_BYTES = 32 * 1024 * 1024;
/** What one thing takes beside its bytes. */
const OVERHEAD_BYTES = 200;
const OWNERS_MAX = 10_000;

type Kept = { segment?: Segment; data?: Uint8Array };

/** Segments and chunks that a process has read, the last used of them up to a number of bytes. */
export class SegmentMemory {
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MAX_BYTES });
  /** Owners whose files are all in segments. */
  #ready = new Set<string>();

  isReady(ownerId: string): boolean {
    return this.#ready.has(ownerId);
  }

  keepReady(ownerId: string): void {
    if (this.#ready.size >= OWNERS_MAX) this.#ready.clear();
    this.#ready.add(ownerId);
  }

  segment(name: string): Segment | undefined {
    return this.#kept.get(name)?.segment;
  }

  chunk(id: string): Uint8Array | undefined {
    return this.#kept.get(id)?.data;
  }

  keepSegment(segment: Segment): void {
    const bytes = segment.starts.byteLength + (segment.chunk?.byteLength ?? 0);
    this.#kept.set(segment.name, { segment }, { size: bytes + OVERHEAD_BYTES });
  }

  keepChunk(id: string, data: Uint8Array): void {
    this.#kept.set(id, { data }, { size: data.byteLength + OVERHEAD_BYTES });
  }
}
