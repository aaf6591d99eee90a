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

type Kept = { bytes: number; segment?: Segment; data?: Uint8Array };

/** Segments and chunks that a process has read, the last used of them up to a number of bytes. */
export class SegmentMemory {
  #kept = new Map<string, Kept>();
  #bytes = 0;
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
    return this.#use(name)?.segment;
  }

  chunk(id: string): Uint8Array | undefined {
    return this.#use(id)?.data;
  }

  keepSegment(segment: Segment): void {
    const bytes = segment.starts.byteLength + (segment.chunk?.byteLength ?? 0);
    this.#keep(segment.name, { bytes: bytes + OVERHEAD_BYTES, segment });
  }

  keepChunk(id: string, data: Uint8Array): void {
    this.#keep(id, { bytes: data.byteLength + OVERHEAD_BYTES, data });
  }

  #use(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
    return kept;
  }

  #keep(key: string, kept: Kept): void {
    this.#forget(key);
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
