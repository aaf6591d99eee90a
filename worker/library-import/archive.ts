import { fstatSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { ENTRIES_MAX, entryMaxBytes } from "#domain/library-zip/export-format.ts";
import { BlockReader } from "#worker/library-import/block-reader.ts";
import { Damaged } from "#worker/library-import/damaged.ts";

/**
 * Reads a zip from outside. The complete directory is checked before anything is unpacked: only paths that an export has, each
 * once, none over its size limit, nothing encrypted or linked, no overlaps, and in total no more than a zip of that size can
 * honestly contain. Unpacked data must match the sizes and checksums of the directory. Everything here throws `Damaged`.
 */
export type Archive = {
  paths(): Iterable<string>;
  has(path: string): boolean;
  read(path: string): Promise<Buffer>;
};

const UNPACKED_MAX_BYTES = 4 * 1024 ** 3;
const RATIO_MAX = 100;
/** Up to here any ratio of compression is allowed: a small repetitive zip does no harm. */
const RATIO_FREE_BYTES = 64 * 1024 ** 2;
const METHODS = [0, 8];
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const LOCAL_HEADER_BYTES = 30;

/** The fields that reading an entry needs. Half a million complete entries would not fit into the memory of an import. */
export type ArchiveTarget = Pick<
  Entry,
  | "fileName"
  | "generalPurposeBitFlag"
  | "compressionMethod"
  | "crc32"
  | "compressedSize"
  | "uncompressedSize"
  | "fileNameLength"
  | "relativeOffsetOfLocalHeader"
>;
/** Keyed by composed names, because some systems treat both forms as the same name. */
type Directory = Map<string, ArchiveTarget>;
const composeName = (path: string) => path.normalize("NFC");

/** With `decodeStrings: false`, names stay bytes. */
export async function openZip(fd: number, names: { decodeStrings: boolean }): Promise<ZipFile> {
  const { size } = fstatSync(fd);
  const options = { autoClose: false, strictFileNames: true, ...names };
  const zip = await fromRandomAccessReaderPromise(new BlockReader(fd), size, options).catch(() => {
    throw new Damaged("not_a_zip");
  });
  if (zip.entryCount > ENTRIES_MAX) throw new Damaged("too_many_entries");
  return zip;
}

/** The most that a zip of this size may honestly unpack to. */
export const findUnpackedMax = ({ fileSize }: ZipFile): number =>
  Math.min(UNPACKED_MAX_BYTES, RATIO_FREE_BYTES + RATIO_MAX * fileSize);

export async function openArchive(fd: number): Promise<Archive> {
  const zip = await openZip(fd, { decodeStrings: true });
  const directory = await readDirectory(zip);
  const findEntry = (path: string) => {
    const entry = directory.get(composeName(path));
    return entry?.fileName === path ? entry : undefined;
  };
  return {
    paths: () => directory.values().map(({ fileName }) => fileName),
    has: (path) => findEntry(path) !== undefined,
    read: async (path) => {
      const entry = findEntry(path);
      if (!entry) throw new Damaged("missing", path);
      return unpack(zip, entry).catch(() => {
        throw new Damaged("damaged_entry", path);
      });
    },
  };
}

async function readDirectory(zip: ZipFile): Promise<Directory> {
  const directory: Directory = new Map();
  const unpackedMax = findUnpackedMax(zip);
  let unpackedBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      checkEntry(entry);
      const name = composeName(entry.fileName);
      if (directory.has(name)) throw new Damaged("duplicate", entry.fileName);
      directory.set(name, toArchiveTarget(entry));
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > unpackedMax) throw new Damaged("bomb", entry.fileName);
    }
  } catch (error) {
    throw error instanceof Damaged ? error : new Damaged("not_a_zip");
  }
  checkOverlaps([...directory.values()], zip.fileSize);
  return directory;
}

function checkEntry(entry: Entry): void {
  const { fileName } = entry;
  const maxBytes = entryMaxBytes(fileName);
  if (maxBytes === null) throw new Damaged("unknown_path", fileName);
  if (!isRegularFile(entry)) throw new Damaged("not_a_file", fileName);
  if (!isReadable(entry)) throw new Damaged("unreadable", fileName);
  if (entry.uncompressedSize > maxBytes) throw new Damaged("too_large", fileName);
}

/** False for links and devices. */
export function isRegularFile({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  return type === 0 || type === REGULAR_FILE;
}

export const isReadable = (entry: Entry): boolean =>
  !entry.isEncrypted() && METHODS.includes(entry.compressionMethod);

/** Copies the fields with the prototype, because the zip library expects an entry. */
export function toArchiveTarget(entry: Entry): ArchiveTarget {
  const target: ArchiveTarget = Object.create(Object.getPrototypeOf(entry));
  target.fileName = entry.fileName;
  target.generalPurposeBitFlag = entry.generalPurposeBitFlag;
  target.compressionMethod = entry.compressionMethod;
  target.crc32 = entry.crc32;
  target.compressedSize = entry.compressedSize;
  target.uncompressedSize = entry.uncompressedSize;
  target.fileNameLength = entry.fileNameLength;
  target.relativeOffsetOfLocalHeader = entry.relativeOffsetOfLocalHeader;
  return target;
}

/** Overlapping entries would unpack to more than the zip contains. */
export function checkOverlaps(entries: ArchiveTarget[], fileSize: number): void {
  entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let nextFree = 0;
  for (const entry of entries) {
    if (entry.relativeOffsetOfLocalHeader < nextFree) throw new Damaged("overlapping", entry.fileName);
    nextFree =
      entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize;
  }
  if (nextFree > fileSize) throw new Damaged("overlapping");
}

export async function unpack(zip: ZipFile, entry: ArchiveTarget): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The library reads only the fields of a target.
  for await (const chunk of await zip.openReadStreamPromise(entry as Entry)) {
    length += chunk.length;
    if (length > entry.uncompressedSize) throw new Error("An entry is longer than it says");
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  if (length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw new Error("An entry is damaged");
  return bytes;
}
