import { readSync } from "node:fs";
import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";

/**
 * Reads an open file in blocks and keeps the last block. A zip's directory is read in small pieces; with a call to the disk for
 * each, a directory of 100,000 entries would take half a minute. Reading blocks its thread, so it needs a separate one.
 */
export class BlockReader extends RandomAccessReader {
  static readonly #blockBytes = 256 * 1024;
  readonly #fd: number;
  readonly #block = Buffer.alloc(BlockReader.#blockBytes);
  #start = 0;
  #end = 0;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    let missing = length;
    for (let bytes = this.#bytesAt(position); missing > 0 && bytes.length > 0; ) {
      const done = length - missing;
      missing -= bytes.copy(buffer, offset + done, 0, Math.min(bytes.length, missing));
      bytes = this.#bytesAt(position + length - missing);
    }
    process.nextTick(callback, missing > 0 ? new Error("The file ends before") : null);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const readRange = function* (this: BlockReader) {
      for (let position = start; position < end; ) {
        const bytes = this.#bytesAt(position);
        if (bytes.length === 0) throw new Error("The file ends before");
        const chunk = Buffer.from(bytes.subarray(0, Math.min(bytes.length, end - position)));
        position += chunk.length;
        yield chunk;
      }
    };
    return Readable.from(readRange.call(this), { objectMode: false });
  }

  /** Returns the bytes from a position to the end of its block; empty after the end of the file. */
  #bytesAt(position: number): Buffer {
    // A zip may contain impossible positions, and reading there would throw.
    if (!Number.isSafeInteger(position)) return Buffer.alloc(0);
    if (position < this.#start || position >= this.#end) {
      this.#start = position;
      this.#end = position + readSync(this.#fd, this.#block, 0, this.#block.length, position);
    }
    return this.#block.subarray(position - this.#start, this.#end - this.#start);
  }
}
