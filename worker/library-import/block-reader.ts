import { readSync } from "node:fs";
import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";

/**
 * Reads an open file in blocks and keeps the last one: a zip's directory is asked for in small pieces, and a call to the disk
 * for each would make one of 100,000 entries take half a minute. It blocks its thread while it reads, so it belongs on a thread of its own.
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
      for (let at = start; at < end; ) {
        const bytes = this.#bytesAt(at);
        if (bytes.length === 0) throw new Error("The file ends before");
        const part = Buffer.from(bytes.subarray(0, Math.min(bytes.length, end - at)));
        at += part.length;
        yield part;
      }
    };
    return Readable.from(readRange.call(this), { objectMode: false });
  }

  /** From a place to the end of its block; empty behind the end of the file. */
  #bytesAt(position: number): Buffer {
    // A zip may name a place that no file has, and reading there throws.
    if (!Number.isSafeInteger(position)) return Buffer.alloc(0);
    if (position < this.#start || position >= this.#end) {
      this.#start = position;
      this.#end = position + readSync(this.#fd, this.#block, 0, this.#block.length, position);
    }
    return this.#block.subarray(position - this.#start, this.#end - this.#start);
  }
}
