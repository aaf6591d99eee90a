import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { SUMS_NAME } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import { parseTarHeader, TAR_BLOCK, tarPadding } from "./tar.ts";

/** Receives the bytes of an entry and must read all of them. */
type TakeEntry = (name: string, size: number, bytes: AsyncIterable<Buffer>) => Promise<void>;

const SUMS_MAX_BYTES = 1024 * 1024;

/** Reads all entries of an archive. Throws a BackupError unless every byte is as written. */
export async function readArchive(file: string, takeEntry: TakeEntry): Promise<void> {
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), (stream) =>
      readTar(new ByteReader(stream), takeEntry),
    );
  } catch (error) {
    throw isDecompressionFault(error) ? new BackupError(`${file} is damaged or is no backup.`) : error;
  }
}

const isDecompressionFault = (error: unknown) =>
  error instanceof Error && "code" in error && /^(ZSTD_|Z_|ERR_ZLIB)/.test(String(error.code));

async function readTar(reader: ByteReader, takeEntry: TakeEntry): Promise<void> {
  const sums: string[] = [];
  for (;;) {
    const header = parseTarHeader(await reader.read(TAR_BLOCK));
    if (!header) throw new BackupError("The backup is damaged: its checksums are missing.");
    if (header.name === SUMS_NAME) {
      if (header.size > SUMS_MAX_BYTES)
        throw new BackupError("The backup is damaged: its checksums are too long.");
      if ((await reader.read(header.size)).toString() !== sums.join(""))
        throw new BackupError("The backup is damaged: what it holds does not match its checksums.");
      return reader.drain();
    }
    const hash = createHash("sha256");
    await takeEntry(header.name, header.size, hashWhileReading(reader.stream(header.size), hash));
    await reader.read(tarPadding(header.size));
    sums.push(`${hash.digest("hex")}  ${header.name}\n`);
  }
}

async function* hashWhileReading(bytes: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(size: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(size)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async *stream(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const chunk = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(chunk.length);
      missing -= chunk.length;
      yield chunk;
    }
  }

  /** Reads to the end of the stream, so that a damaged end is noticed. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new BackupError("The backup is damaged: it ends too early.");
    return value;
  }
}
