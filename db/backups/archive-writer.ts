import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { isAlive, processStart } from "#platform/install/process-lock.mjs";
import { TAR_BLOCK, tarPadding, writeTarHeader } from "./tar.ts";

/** One file of an archive: its size is said before its bytes. */
export type ArchiveEntry = { name: string; size: number; read(): AsyncIterable<Buffer> | Iterable<Buffer> };

type WriteOptions = { moment: Date; signal?: AbortSignal; onBytes?: (bytes: number) => void };

/** The last entry: the digest of every other one, in the form that `sha256sum -c` reads. */
export const SUMS_NAME = "SHA256SUMS";
const UNFINISHED_NAME = /\.(\d+)~(.+)\.unfinished-backup$/;

/**
 * Writes a tar archive, compressed with zstd, for its owner alone. It has its name only once it is whole and on disk; a process
 * that is killed before leaves a file with another name, which the next one removes.
 */
export async function writeArchive(
  file: string,
  entries: readonly ArchiveEntry[],
  options: WriteOptions,
): Promise<void> {
  await removeForsaken(dirname(file));
  const draft = `${file}.${process.pid}~${processStart(process.pid)}.unfinished-backup`;
  const handle = await open(draft, "w", 0o600);
  try {
    await pipeline(writeTar(entries, options), createZstdCompress(), (bytes) => writeAll(handle, bytes), {
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

async function* writeTar(entries: readonly ArchiveEntry[], { moment, onBytes }: WriteOptions) {
  const sums: string[] = [];
  for (const entry of entries) {
    const hash = createHash("sha256");
    yield writeTarHeader(entry, moment);
    for await (const chunk of entry.read()) {
      hash.update(chunk);
      onBytes?.(chunk.length);
      yield chunk;
    }
    yield Buffer.alloc(tarPadding(entry.size));
    sums.push(`${hash.digest("hex")}  ${entry.name}\n`);
  }
  const text = Buffer.from(sums.join(""));
  yield writeTarHeader({ name: SUMS_NAME, size: text.length }, moment);
  yield Buffer.concat([text, Buffer.alloc(tarPadding(text.length) + 2 * TAR_BLOCK)]);
}

/** Removes what killed processes left in a directory. */
async function removeForsaken(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid, start = ""] = UNFINISHED_NAME.exec(name) ?? [];
    if (pid && !isAlive({ pid: Number(pid), start })) await rm(join(directory, name), { force: true });
  }
}

/** A name is on disk only once its directory is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
