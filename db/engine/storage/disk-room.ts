/**
 * Keeps room on the disk for deletions and logins. A file of random bytes holds the room while any program fills the disk, and is
 * removed once less than its size is free. The engine still takes every write; it reports in `hello` that the disk is full, so that
 * its client saves nothing new.
 */

import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RESERVE_BYTES = 32 * 1024 * 1024;
/** More than a disk compresses as one. */
const RANDOM_BYTES = 1024 * 1024;

export class DiskRoom {
  isFull = false;
  readonly #directory: string;
  readonly #reserve: string;
  readonly #readReusableBytes: () => number;

  /** `readReusableBytes`: how much the file of the data can take without growing. */
  constructor(directory: string, readReusableBytes: () => number) {
    this.#directory = directory;
    this.#reserve = join(directory, "reserve");
    this.#readReusableBytes = readReusableBytes;
    // Opening the file of the data takes room, too.
    if (this.#readFreeBytes() < RESERVE_BYTES) this.releaseReserve();
  }

  /** Looks at the disk. A full one has room again once twice the reserve is free: the removed reserve alone is not enough. */
  check(): void {
    const freeBytes = this.#readFreeBytes();
    const roomBytes = freeBytes + this.#readReusableBytes();
    this.isFull = roomBytes < (this.isFull ? 2 * RESERVE_BYTES : RESERVE_BYTES);
    if (this.isFull) this.releaseReserve();
    else if (freeBytes >= 3 * RESERVE_BYTES && !existsSync(this.#reserve))
      writeFileSync(this.#reserve, Buffer.alloc(RESERVE_BYTES, randomBytes(RANDOM_BYTES)), { mode: 0o600 });
  }

  #readFreeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#directory);
    return bavail * bsize;
  }

  releaseReserve(): void {
    rmSync(this.#reserve, { force: true });
    this.isFull = true;
  }
}
