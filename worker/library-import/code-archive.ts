import { type Entry, getFileNameLowLevel, type ZipFile } from "yauzl";
import { MANIFEST_NAME } from "#domain/files/archive.ts";
import { BODY_MAX_BYTES, decodeBody } from "#domain/files/file.ts";
import {
  CODE_FILES_MAX,
  type CodeReport,
  LEFT_OUT_NAMED_MAX,
  type LeftOut,
  type LeftOutReason,
  parseEntryName,
  showPath,
  toLeftOutReason,
} from "#domain/library-zip/code-zip.ts";
import { EXPORT_FORMAT } from "#domain/library-zip/export-format.ts";
import { isRefusal } from "#domain/refusal.ts";
import {
  type ArchiveTarget,
  checkOverlaps,
  findUnpackedMax,
  isReadable,
  isRegularFile,
  openZip,
  toArchiveTarget,
  unpack,
} from "#worker/library-import/archive.ts";
import { Damaged } from "#worker/library-import/damaged.ts";

/**
 * Reads a zip of code, which is no export. An entry that cannot become a file is left out and listed with its reason; `Damaged` is thrown
 * only if the zip as a whole is dangerous or unreadable. Entries left out are unpacked only if their bytes are the reason.
 */
export type CodeHead = { paths: string[]; left: number } & Omit<CodeReport, "folder">;
export type CodeFile = { path: string } & ({ body: string } | { why: LeftOutReason });

const PORTION_FILES = 50;
const PORTION_BYTES = 4 * 1024 * 1024;
const UNICODE_PATH_FIELD = 0x7075;
const UTF8_FLAG = 0x800;

type Opened = { head: CodeHead; readPortions(): AsyncGenerator<CodeFile[]> };

/** Returns null for an export, which has stricter rules. */
export async function openCodeArchive(fd: number): Promise<Opened | null> {
  const zip = await openZip(fd, { decodeStrings: false });
  const directory = await readDirectory(zip);
  const manifest = directory.files.get(MANIFEST_NAME);
  if (manifest && (await isExportManifest(zip, manifest))) return null;
  if (directory.files.size > CODE_FILES_MAX) throw new Damaged("too_many_entries");
  checkSizes(zip, directory.files);
  const { files, left, left_out, junk } = directory;
  const junkCounts = [...junk].map(([name, count]) => ({ name, count }));
  return {
    head: { paths: [...files.keys()], left, left_out, junk: junkCounts },
    readPortions: () => readPortions(zip, files),
  };
}

type Files = Map<string, ArchiveTarget>;
type Directory = { files: Files; left: number; left_out: LeftOut[]; junk: Map<string, number> };

async function readDirectory(zip: ZipFile): Promise<Directory> {
  const directory: Directory = { files: new Map(), left: 0, left_out: [], junk: new Map() };
  try {
    for await (const entry of zip.eachEntry()) addEntry(directory, entry);
  } catch {
    throw new Damaged("not_a_zip");
  }
  return directory;
}

function addEntry(directory: Directory, entry: Entry): void {
  const { files, left_out, junk } = directory;
  const entryName = parseEntryName(decodeEntryName(entry));
  if (!entryName) return;
  if ("junk" in entryName) {
    junk.set(entryName.junk, (junk.get(entryName.junk) ?? 0) + 1);
    return;
  }
  const why = "why" in entryName ? entryName.why : findLeftOutReason(entry, files.has(entryName.path));
  if (why === null) {
    // More files than the limit are not stored; it only matters that there are more.
    if (files.size <= CODE_FILES_MAX)
      files.set(entryName.path, Object.assign(toArchiveTarget(entry), { fileName: entryName.path }));
    return;
  }
  directory.left += 1;
  if (left_out.length < LEFT_OUT_NAMED_MAX) left_out.push({ path: showPath(entryName.path), why });
}

/** Returns the reason to leave an entry out before it is unpacked. */
function findLeftOutReason(entry: Entry, isTaken: boolean): LeftOutReason | null {
  if (isTaken) return "duplicate";
  if (!isRegularFile(entry)) return "not_a_file";
  if (!isReadable(entry)) return "encrypted";
  return entry.uncompressedSize > BODY_MAX_BYTES ? "too_large" : null;
}

async function isExportManifest(zip: ZipFile, entry: ArchiveTarget): Promise<boolean> {
  const bytes = await unpack(zip, entry).catch(() => null);
  return bytes?.includes(`"${EXPORT_FORMAT}"`) ?? false;
}

/** A zip may not unpack to far more than its size, and its entries may not overlap. */
function checkSizes(zip: ZipFile, files: Files): void {
  const entries = [...files.values()];
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpackedBytes > findUnpackedMax(zip)) throw new Damaged("bomb");
  checkOverlaps(entries, zip.fileSize);
}

async function* readPortions(zip: ZipFile, files: Files): AsyncGenerator<CodeFile[]> {
  let portion: CodeFile[] = [];
  let bytes = 0;
  for (const [path, entry] of files) {
    portion.push({ path, ...(await readFile(zip, entry)) });
    bytes += entry.uncompressedSize;
    if (portion.length < PORTION_FILES && bytes < PORTION_BYTES) continue;
    yield portion;
    [portion, bytes] = [[], 0];
  }
  yield portion;
}

async function readFile(
  zip: ZipFile,
  entry: ArchiveTarget,
): Promise<{ body: string } | { why: LeftOutReason }> {
  const bytes = await unpack(zip, entry).catch(() => null);
  if (!bytes) return { why: "damaged" };
  const body = decodeBody(bytes);
  return isRefusal(body) ? { why: toLeftOutReason(body.refused) ?? "not_text" } : { body };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Many programs write names as UTF-8 without declaring it. */
function decodeEntryName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const isReported =
    (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0 ||
    entry.extraFields.some(({ id }) => id === UNICODE_PATH_FIELD);
  if (!isReported) {
    try {
      return utf8.decode(raw);
    } catch {
      // Older names are not UTF-8.
    }
  }
  return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true);
}
