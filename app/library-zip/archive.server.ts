import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { entryMaxBytes } from "#domain/export-format.ts";
import { Refusal } from "#domain/refusal.ts";

/**
 * A zip that someone sent, opened with care. Its directory is checked whole before anything is unpacked: only paths that an
 * export has, each once, none larger than its kind may be, nothing encrypted or linked, and in all no more than a zip of that
 * size can honestly hold. What is unpacked is then held to the sizes and the checksum that the directory told.
 */
export type Archive = {
  paths: readonly string[];
  /** The bytes at a path; a refusal where they are not what the directory says. */
  read(path: string): Promise<Buffer | Refusal>;
  close(): void;
};

export const ENTRIES_MAX = 500_000;
const UNPACKED_MAX_BYTES = 4 * 1024 ** 3;
const RATIO_MAX = 100;
/** A small zip of one long repetition is nobody's attack. */
const RATIO_FREE_BYTES = 64 * 1024 ** 2;
const METHODS = [0, 8];
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

export const damaged = (why: string, entry?: string) =>
  Refusal("import_damaged", { why, ...(entry === undefined ? {} : { entry: entry.slice(0, 200) }) });

export async function openArchive(path: string): Promise<Archive | Refusal> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch {
    return damaged("not_a_zip");
  }
  const entries = await directoryOf(zip).catch(() => damaged("not_a_zip"));
  if (!(entries instanceof Map)) {
    zip.close();
    return entries;
  }
  return {
    paths: [...entries.keys()],
    read: async (path) => {
      const entry = entries.get(path);
      return entry ? unpacked(zip, entry).catch(() => damaged("entry", path)) : damaged("missing", path);
    },
    close: () => zip.close(),
  };
}

async function directoryOf(zip: ZipFile): Promise<Map<string, Entry> | Refusal> {
  if (zip.entryCount > ENTRIES_MAX) return damaged("too_many_entries");
  const entries = new Map<string, Entry>();
  const folded = new Set<string>();
  let packed = 0;
  let whole = 0;
  for await (const entry of zip.eachEntry()) {
    const why = wrongWith(entry);
    if (why) return damaged(why, entry.fileName);
    const name = entry.fileName.normalize("NFC");
    if (folded.has(name)) return damaged("duplicate", entry.fileName);
    folded.add(name);
    entries.set(entry.fileName, entry);
    packed += entry.compressedSize;
    whole += entry.uncompressedSize;
  }
  // Entries that share their bytes say together that they have more than there is.
  if (packed > zip.fileSize) return damaged("overlapping");
  if (whole > Math.min(UNPACKED_MAX_BYTES, RATIO_FREE_BYTES + RATIO_MAX * zip.fileSize))
    return damaged("bomb");
  return entries;
}

function wrongWith(entry: Entry): string | null {
  const maxBytes = entryMaxBytes(entry.fileName);
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (maxBytes === null) return "unknown_path";
  if (type !== 0 && type !== REGULAR_FILE) return "not_a_file";
  if (entry.isEncrypted() || !METHODS.includes(entry.compressionMethod)) return "unreadable";
  return entry.uncompressedSize > maxBytes ? "too_large" : null;
}

async function unpacked(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    length += chunk.length;
    if (length > entry.uncompressedSize) throw new Error("An entry is longer than it says");
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  if (length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw new Error("An entry is damaged");
  return bytes;
}
