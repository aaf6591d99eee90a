import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { isAlive, processStart } from "#platform/install/process-lock.mjs";
import { TAR_BLOCK, tarPadding, toTarHeader } from "./tar.ts";

/** A file of an archive; its size precedes its bytes. */
export type ArchiveEntry = { name: string; size: number; read(): AsyncIterable<Buffer> | Iterable<Buffer> };

type WriteOptions = { moment: Date; signal?: AbortSignal; onBytes?: (bytes: number) => void };

/** The last entry, with the digests of all others in the format of `sha256sum -c`. */
export const SUMS_NAME = "SHA256SUMS";
const UNFINISHED_NAME = /\.(\d+)~(.+)\.unfinished-backup$/;

/**
 * Writes a tar archive, compressed with zstd, readable only by its owner. It gets its name only when it is complete and on
 * disk. A process killed before that leaves a file with another name, which the next backup removes.
 */
export async function writeArchive(
  file: string,
  entries: readonly ArchiveEntry[],
  options: WriteOptions,
): Promise<void> {
  await removeAbandoned(dirname(file));
  const draft = `${file}.${process.pid}~${processStart(process.pid)}.unfinished-backup`;
  const handle = await open(draft, "w", 0o600);
  try {
    await pipeline(encodeTar(entries, options), createZstdCompress(), (bytes) => writeAll(handle, bytes), {
      signal: options.signal,
    });
    await handle.sync();
    await handle.close();
    await rename(draft, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of bytes) await handle.appendFile(chunk);
}

async function* encodeTar(entries: readonly ArchiveEntry[], { moment, onBytes }: WriteOptions) {
  const sums: string[] = [];
  for (const entry of entries) {
    const hash = createHash("sha256");
    yield toTarHeader(entry, moment);
    for await (const chunk of entry.read()) {
      hash.update(chunk);
      onBytes?.(chunk.length);
      yield chunk;
    }
    yield Buffer.alloc(tarPadding(entry.size));
    sums.push(`${hash.digest("hex")}  ${entry.name}\n`);
  }
  const text = Buffer.from(sums.join(""));
  yield toTarHeader({ name: SUMS_NAME, size: text.length }, moment);
  yield Buffer.concat([text, Buffer.alloc(tarPadding(text.length) + 2 * TAR_BLOCK)]);
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid, start = ""] = UNFINISHED_NAME.exec(name) ?? [];
    if (pid && !isAlive({ pid: Number(pid), start })) await rm(join(directory, name), { force: true });
  }
}

/** A file's name is only safe on disk after its directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
